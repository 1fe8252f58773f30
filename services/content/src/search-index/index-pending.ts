import { transact } from "@octavo/shared/database/transact";
import { sql } from "kysely";
import { refreshAfter } from "../store/statistics.js";
import { entriesOf, lockBranch } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { type Indexed, indexPages } from "./index-pages.js";
import { somePending } from "./pending.js";
import { Vocabulary } from "./vocabulary.js";
import { allowPendingEntries } from "./waiting.js";

/** Pages at a time: so long the branch is locked, and whoever merges waits. */
const PORTION = 100;

/**
 * Puts the pages of a space into the index that are pending, as they are now, few in each transaction. Safe to run again
 * after a crash at any point.
 */
export async function indexPending(
  ctx: Ctx,
  space: string,
  signal?: Pick<AbortSignal, "throwIfAborted">,
): Promise<void> {
  const vocabulary = new Vocabulary();
  let count = 0;
  for (;;) {
    const indexed = await indexSome(ctx, space, vocabulary);
    if (indexed === 0) break;
    count += indexed;
    signal?.throwIfAborted();
  }
  await refreshAfter(ctx, count);
}

async function indexSome(ctx: Ctx, space: string, vocabulary: Vocabulary): Promise<number> {
  // Not looked for under the lock: of a space that is gone there is nothing to lock.
  if ((await somePending(ctx, space, 1)).length === 0) return 0;
  return transact(ctx, async (ctx) => {
    // Nobody changes a page between its being read and its being indexed, nor gives the space to another organization.
    await lockBranch(ctx, space);
    const { organization } = await ctx.db
      .selectFrom("space")
      .select("organization")
      .where("id", "=", space)
      .forShare()
      .executeTakeFirstOrThrow();
    const pages = await somePending(ctx, space, PORTION);
    const among = sql`e.kind = 'page' and e.id = any(${pages})`;
    const { rows: put } = await sql<Indexed>`${entriesOf({ branch: space }, among)}`.execute(ctx.db);
    await allowPendingEntries(ctx);
    const found = new Set(put.map(({ id }) => id));
    const remove = pages.filter((id) => !found.has(id));
    await indexPages(ctx, { space, organization, put, remove, vocabulary });
    return pages.length;
  });
}
