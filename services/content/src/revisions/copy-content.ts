import { sql } from "kysely";
import { copyReferences } from "../references/copy-to-space.js";
import { copySearch } from "../search-index/transfer.js";
import { refreshAfter } from "../store/statistics.js";
import type { Ctx } from "../trpc.js";

/**
 * Fills the only revision of a new space with the primary content of another, as it is now: pages, files, reusable
 * contents and variables under their own ids, so that what refers to them inside still does. Nothing passes through
 * this process, whatever the size.
 */
export async function copyContent(ctx: Ctx, from: string, to: string): Promise<void> {
  const { db } = ctx;
  const copied =
    await sql`insert into entry (branch, id, from_seq, kind, parent, position, slug, title, body, git_path, git_oid,
      props, created_at, updated_at)
    select ${to}, id, 1, kind, parent, position, slug, title, body, git_path, git_oid, props, created_at, updated_at
    from entry where branch = ${from} and to_seq is null and not removed`.execute(db);
  // Bodies are only ever added: all that the entries name are there, also when the source has moved on since.
  await sql`insert into body (space, hash, markdown)
    select ${to}, hash, markdown from body
    where space = ${from} and hash in (select body from entry where branch = ${to})`.execute(db);
  await copySearch({ db }, from, to);
  await copyReferences(ctx, from, to);
  await refreshAfter(ctx, Number(copied.numAffectedRows ?? 0));
}
