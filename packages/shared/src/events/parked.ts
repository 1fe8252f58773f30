import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import type { SharedTables } from "../database/shared-tables.js";
import type { Envelope } from "./define.js";

/** The channel on which a replay wakes the consumer. */
export const inboxChannel = (schema: string) => `octavo_${schema}_inbox`;

export interface ParkedEvent {
  id: string;
  name: string;
  aggregate: string;
  attempts: number;
  parkedAt: string;
  error: string | null;
  event: Envelope;
}

/** The events whose tries are used up, the oldest first. */
export async function parkedEvents(ctx: { db: QueryExecutorProvider }, limit = 100): Promise<ParkedEvent[]> {
  const { rows } = await sql<ParkedEvent>`
    select id, name, aggregate, attempts, parked_at as "parkedAt", error, body as event
    from inbox where parked_at is not null order by parked_at, position limit ${limit}`.execute(ctx.db);
  return rows;
}

/** Gives a parked event all its tries again. False when there is no such event, or it is not parked. */
export async function replay(ctx: { db: QueryExecutorProvider }, eventId: string): Promise<boolean> {
  const { rows } = await sql`
    with woken as (
      update inbox set parked_at = null, error = null, attempts = 0, due_at = now()
      where id = ${eventId} and parked_at is not null returning 1
    )
    select pg_notify('octavo_' || current_schema() || '_inbox', '') from woken`.execute(ctx.db);
  return rows.length > 0;
}

export interface Backlog {
  /** Events that are not published yet, and the age of the oldest in seconds. */
  unpublished: number;
  oldestSeconds: number;
  /** Events that came in and wait to be handled. */
  pending: number;
  parked: number;
}

/** How much waits in the service's outbox and inbox: what an operator watches. */
export async function backlog<Database extends SharedTables>(db: Kysely<Database>): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select
      (select count(*) from outbox where published_at is null) as unpublished,
      (select coalesce(extract(epoch from now() - min(occurred_at)), 0)::float8
       from outbox where published_at is null) as "oldestSeconds",
      (select count(*) from inbox where handled_at is null and parked_at is null) as pending,
      (select count(*) from inbox where parked_at is not null) as parked`.execute(db);
  return rows[0] ?? { unpublished: 0, oldestSeconds: 0, pending: 0, parked: 0 };
}
