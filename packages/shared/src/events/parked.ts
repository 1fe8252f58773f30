import { type QueryExecutorProvider, sql } from "kysely";

/** The channel on which a replay wakes the consumer. */
export const inboxChannel = (schema: string) => `octavo_${schema}_inbox`;

export interface ParkedEvent {
  id: string;
  name: string;
  aggregate: string;
  attempts: number;
  parkedAt: string;
  error: string | null;
}

/** The events whose tries are used up, the oldest first. */
export async function parkedEvents(ctx: { db: QueryExecutorProvider }, limit = 100): Promise<ParkedEvent[]> {
  const { rows } = await sql<ParkedEvent>`
    select id, name, aggregate, attempts, parked_at as "parkedAt", error
    from inbox where parked_at is not null order by parked_at, position limit ${limit}`.execute(ctx.db);
  return rows;
}

/** Gives parked events all their tries again; returns the ids of those that are tried again. */
export async function replay(ctx: { db: QueryExecutorProvider }, ids: string[] | "all"): Promise<string[]> {
  const these = ids === "all" ? sql`` : sql`and id = any(${ids}::text[])`;
  const { rows } = await sql<{ id: string }>`
    with woken as (
      update inbox set parked_at = null, error = null, attempts = 0, due_at = now()
      where parked_at is not null ${these} returning id
    )
    select id, pg_notify('octavo_' || current_schema() || '_inbox', '') from woken`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** Gives parked events up: they count as handled, without effect. Returns the ids of those. */
export async function dropParked(
  ctx: { db: QueryExecutorProvider },
  ids: string[] | "all",
): Promise<string[]> {
  const these = ids === "all" ? sql`` : sql`and id = any(${ids}::text[])`;
  const { rows } = await sql<{ id: string }>`
    update inbox set parked_at = null, handled_at = now() where parked_at is not null ${these}
    returning id`.execute(ctx.db);
  return rows.map(({ id }) => id);
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
export async function backlog({ db }: { db: QueryExecutorProvider }): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select
      (select count(*) from outbox where published_at is null) as unpublished,
      (select coalesce(extract(epoch from now() - min(occurred_at)), 0)::float8
       from outbox where published_at is null) as "oldestSeconds",
      (select count(*) from inbox where handled_at is null and parked_at is null) as pending,
      (select count(*) from inbox where parked_at is not null) as parked`.execute(db);
  return rows[0]!;
}
