import { type Insertable, sql } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["insights_event"];

/** Inserts events. */
export const insert = async ({ db }: Ctx, rows: Insertable<Table>[]): Promise<void> => {
  await db.insertInto("insights_event").values(rows).execute();
};

interface Segment {
  claims: Record<string, unknown>;
  events: number;
  visitors: number;
  sessions: number;
}

/** Counts the events of a site since a time by the claims of their visitors, those of most visitors first. */
export async function segments(
  { db }: Ctx,
  { site, from, limit }: { site: string; from: Date; limit: number },
): Promise<Segment[]> {
  const { rows } = await sql<Segment>`select claims, count(*)::int as events,
      count(distinct visitor)::int as visitors, count(distinct session)::int as sessions
    from insights_event where site = ${site} and occurred_at >= ${from.toISOString()}
    group by claims order by visitors desc, claims limit ${limit}`.execute(db);
  return rows;
}

/** Deletes all events of a site. */
export const removeOfSite = async ({ db }: Ctx, site: string): Promise<void> => {
  await db.deleteFrom("insights_event").where("site", "=", site).execute();
};

/** Deletes events from before a time, at most so many, and returns how many they were. */
export async function removeBefore({ db }: Pick<Ctx, "db">, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from insights_event where ctid = any(array(
      select ctid from insights_event where occurred_at < ${before.toISOString()}
      order by occurred_at limit ${most}))`.execute(db);
  return Number(numAffectedRows ?? 0);
}
