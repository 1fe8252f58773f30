import { defineJob } from "@octavo/shared/jobs/define";
import { enqueue } from "@octavo/shared/jobs/enqueue";
import { sql } from "kysely";
import { z } from "zod";
import type { Ctx } from "../trpc.js";

/** Gives the planner statistics of what a large change brought. */
export const refreshStatistics = defineJob("store.statistics", z.object({}), { deadlineMs: 10 * 60_000 });

/** From so many entries on statistics are gathered at once; until then the planner would plan for an empty space. */
const MANY = 200;

/** In the transaction of a change of so many entries: when it is large, the planner learns of it right afterwards. */
export async function refreshAfter(ctx: Ctx, entries: number): Promise<void> {
  if (entries >= MANY) await enqueue(ctx, refreshStatistics, {}, { key: refreshStatistics.name });
}

/** Reads samples of the tables that content lies in, and empties what waits to be put into the index of the search. */
export async function analyzeTables({ db }: Pick<Ctx, "db">): Promise<void> {
  await sql`analyze entry, body, reference, search_page, search_section, search_word`.execute(db);
  await sql`select gin_clean_pending_list('search_page_terms')`.execute(db);
}
