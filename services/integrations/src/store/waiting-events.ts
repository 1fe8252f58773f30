import { sql } from "kysely";
import { jsonb } from "../db/jsonb.js";
import type { PlatformEvent, TraceLog } from "../schemas/event.js";
import type { Ctx } from "../trpc.js";
import type { Row } from "./events.js";

// Events that wait for the scripts of one publishing organization, read and settled many at a time.

interface New {
  id: string;
  integration: string;
  installation: string;
  organization: string;
  contentInstallation: string | null;
  payload: PlatformEvent;
}

/** Rows of one statement. */
const BATCH = 1_000;

/** Inserts events that wait for their delivery; returns who publishes their integrations. */
export async function insertWaiting({ db }: Ctx, events: New[]): Promise<string[]> {
  const publishers = new Set<string>();
  for (let at = 0; at < events.length; at += BATCH) {
    const { rows } = await sql<{ publisher: string }>`
      with inserted as (
        insert into event (id, integration, installation, organization, content_installation, payload, publisher)
        select each.id, each.integration, each.installation, each.organization, each."contentInstallation",
          each.payload, integration.organization
        from json_to_recordset(${jsonb(events.slice(at, at + BATCH))}::json) as each
          (id text, integration text, installation text, organization text, "contentInstallation" text, payload jsonb)
        join integration on integration.id = each.integration
        returning publisher)
      select distinct publisher from inserted order by publisher`.execute(db);
    for (const { publisher } of rows) publishers.add(publisher);
  }
  return [...publishers];
}

/** Which events are wanted. */
export interface Next {
  publisher: string;
  /** Those of installations after this one, by their ids. */
  above: string;
  /** Installations that have one under way. */
  busy: string[];
  /** Integrations that have as many under way as they may. */
  full: string[];
  now: Date;
  most: number;
}

/** An event with how often it was tried. */
export type Waiting = Row & { installation: string; attempts: number };

/**
 * Finds the first waiting event of each installation, in the order of the installations; none where that one is not to be
 * tried yet. It is found by one look at the index for each installation, however many events wait.
 */
export async function next(
  { db }: Ctx,
  { publisher, above, busy, full, now, most }: Next,
): Promise<Waiting[]> {
  const first = (after: ReturnType<typeof sql>) => sql`
    select id, integration, installation, organization, content_installation, payload, status, created_at,
      attempts, not_before
    from event where publisher = ${publisher} and status is null and installation > ${after}
    order by installation, id limit 1`;
  const { rows } = await sql<Waiting>`
    with recursive head as (
      (${first(sql`${above}`)})
      union all
      select found.* from head, lateral (${first(sql`head.installation`)}) as found)
    select id, integration, installation, organization, content_installation, payload, status, created_at, attempts
    from head
    where installation <> all(${busy}::text[]) and integration <> all(${full}::text[])
      and (not_before is null or not_before <= ${now.toISOString()}::timestamptz)
    limit ${most}`.execute(db);
  return rows;
}

/** How the delivery of an event ended. */
export interface Settled {
  id: string;
  status: "success" | "failed";
  logs: TraceLog[];
}

/** Records how deliveries ended; returns the ids of those for which that was not recorded before. */
export async function settle({ db }: Ctx, settled: Settled[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update event set status = each.status, logs = each.logs, delivered_at = now()
    from json_to_recordset(${jsonb(settled)}::json) as each (id text, status text, logs jsonb)
    where event.id = each.id and event.status is null
    returning event.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Puts off an event that could not be delivered, and counts that. */
export const putOff = ({ db }: Ctx, id: string, until: Date) =>
  db
    .updateTable("event")
    .set(({ eb }) => ({ attempts: eb("attempts", "+", 1), not_before: until.toISOString() }))
    .where("id", "=", id)
    .where("status", "is", null)
    .execute();
