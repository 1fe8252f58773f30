import { type Kysely, sql } from "kysely";

const KEEP_PARKED = sql`interval '180 days'`;

/**
 * Removes handled events of the inbox after their retention, and parked ones that no operator has cared for in half a
 * year; returns whether there may be more.
 */
export async function pruneInbox<Database>(db: Kysely<Database>, retentionMs: number): Promise<boolean> {
  const old = sql`now() - ${retentionMs} * interval '1 millisecond'`;
  const { numAffectedRows = 0n } = await sql`
    delete from inbox where id in (
      (select id from inbox where handled_at < ${old} and received_at < ${old} order by handled_at limit 1000)
      union all
      (select id from inbox where parked_at < now() - ${KEEP_PARKED} order by parked_at limit 1000))`.execute(
    db,
  );
  return numAffectedRows >= 1000n;
}
