import { SpaceTransferred } from "@octavo/shared/contracts/events/content";
import { anyOf } from "@octavo/shared/database/any-of";
import { refuse } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { sql } from "kysely";
import { endResultsOf } from "../../computed/hand-over.js";
import { keepEditionsSoon } from "../../search-index/keep-editions.js";
import { moveSearch } from "../../search-index/transfer.js";
import { refreshAfter } from "../../store/statistics.js";
import type { Ctx } from "../../trpc.js";
import { countGrants } from "../grants/count.js";

interface Owners {
  /** Organizations. */
  from: string;
  to: string;
}

/**
 * Gives spaces to another organization: their rows, what the search finds of them, their change requests, and an event
 * for each, in the transaction that is open. What its integrations computed is shown no more. Grants of the old organization go, and so do its imports, of which those
 * that run change nothing any more, and its git syncs: what the new
 * owner writes is not for the old one's repository, nor for its credentials, and an installation stays behind. No site shows them from now on, before the sites of the old
 * organization have received the event; the caller recomputes their visibility when they are in place. 412 while git
 * is writing into one of them or reading from it. The rows of the spaces are locked for the change: whoever merges has
 * indexed their revision before that, or finds the new owner afterwards.
 */
export async function handOver(ctx: Ctx, ids: string[], { from, to }: Owners): Promise<void> {
  if (ids.length === 0) return;
  const these = anyOf(ids);
  await refuseWhileGitRuns(ctx, ids);
  await sql`update space set organization = ${to}, git = case when git ? 'integration' then null else git end,
    updated_at = ${ctx.clock()} where id = any(${ids})`.execute(ctx.db);
  const dropped = await ctx.db
    .deleteFrom("content_grant")
    .where("target", "=", these)
    .returning(["subject", "subject_kind"])
    .execute();
  await ctx.db.deleteFrom("git_sync").where("space", "=", these).execute();
  await ctx.db.deleteFrom("content_import").where("space", "=", these).execute();
  const shown = await ctx.db
    .deleteFrom("audience")
    .where("space", "=", these)
    .returning(["space", "revision"])
    .execute();
  const pinned = shown.filter(({ revision }) => revision !== null).map(({ space }) => space);
  for (const space of new Set(pinned)) await keepEditionsSoon(ctx, space);
  await refreshAfter(ctx, await moveSearch(ctx, ids, { from, to }));
  await moveChangeRequests(ctx, ids, to);
  for (const id of [...ids].sort()) await emit(ctx, SpaceTransferred, id, { space: id, from, to });
  await endResultsOf(ctx, ids);
  const holders = new Map(dropped.map((holder) => [holder.subject, holder]));
  await countGrants(ctx, from, [...holders.values()]);
}

async function refuseWhileGitRuns({ db }: Ctx, ids: string[]) {
  const running = await db
    .selectFrom("git_operation")
    .select("space")
    .where("space", "=", anyOf(ids))
    .where("state", "=", "running")
    .executeTakeFirst();
  if (!running) return;
  const message = `Space: a git operation is running on ${running.space}`;
  refuse("PRECONDITION_FAILED", message, { reason: "git_operation_running" });
}

/** Lets the change requests of spaces follow them to another organization; who was asked for a review stays behind. */
async function moveChangeRequests({ db }: Pick<Ctx, "db">, spaces: string[], to: string) {
  await sql`delete from requested_reviewer where change_request in
    (select id from change_request where space = any(${spaces}))`.execute(db);
  await sql`update change_request set organization = ${to} where space = any(${spaces})`.execute(db);
}
