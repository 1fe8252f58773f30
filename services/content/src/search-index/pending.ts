import { post } from "@octavo/shared/database/posted";
import { defineJob } from "@octavo/shared/jobs/define";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { sql } from "kysely";
import { z } from "zod";
import type { Ctx } from "../trpc.js";

// A large change, such as an import, puts the first of its new pages into the index itself. The others are noted here in its
// transaction, and follow by a job. What the index has of a page is never older than its text.

/** Puts what is pending of a space into the index. */
export const indexPendingJob = defineJob("search.pending", z.object({ space: z.string() }), {
  attempts: 25,
  deadlineMs: 20 * 60_000,
});
/** Looks after all spaces of which something is pending, in case the tries of one were used up. */
export const indexAllPendingJob = defineJob("search.all-pending", z.object({}));

/** Notes pages that the index does not have yet, in the transaction that brings them. */
export const notePending = ({ db }: Pick<Ctx, "db">, space: string, pages: string[]): Promise<void> =>
  post(
    db,
    sql`insert into search_pending (space, page) select ${space}, * from unnest(${pages}::text[])
      on conflict do nothing`,
  );

/** Has what is pending of a space put into the index when the transaction has committed. */
export async function indexSoon(ctx: Pick<Ctx, "db">, space: string): Promise<void> {
  const queue = `${indexPendingJob.name} ${space}`;
  await enqueue(ctx, indexPendingJob, { space }, { key: queue, queue });
}

/** Whether the index has all pages of a space. */
export async function isIndexed({ db }: Pick<Ctx, "db">, space: string): Promise<boolean> {
  const { rows } = await sql`select from search_pending where space = ${space} limit 1`.execute(db);
  return rows.length === 0;
}

/** The first pages of a space that the index does not have yet, in the order of their ids. */
export async function somePending({ db }: Pick<Ctx, "db">, space: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ page: string }>`select page from search_pending where space = ${space}
    order by page limit ${most}`.execute(db);
  return rows.map(({ page }) => page);
}

/** Has all that is pending put into the index. */
export async function indexAllPending(ctx: Pick<Ctx, "db">): Promise<void> {
  const { rows } = await sql<{ space: string }>`select distinct space from search_pending`.execute(ctx.db);
  for (const { space } of rows) await indexSoon(ctx, space);
}
