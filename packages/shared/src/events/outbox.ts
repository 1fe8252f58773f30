import { type QueryExecutorProvider, sql } from "kysely";
import type { z } from "zod";
import type { Envelope, EventType } from "../contracts/events/define.js";
import { post, transactionOf } from "../database/posted.js";
import { type Argument, prepareStatement } from "../database/prepare.js";
import { newId } from "../ids.js";
import { relayHere } from "./relay-here.js";

export interface EmitContext {
  db: QueryExecutorProvider & { readonly isTransaction: boolean };
  requestId?: string;
  traceparent?: string;
}

// Enough keys that strangers hardly ever wait for each other, few enough that one transaction may emit
// thousands of events without filling the server's table of locks.
const GATES = 1024;

// NATS takes messages up to 1 MB.
const MOST_BYTES = 900_000;

/**
 * Writes an event into the outbox of the open transaction: it leaves if and when that commits. `aggregate` is
 * the id of the thing it happened to; the events of one aggregate leave in the order of their commits.
 * Throws outside `transact`, and when the payload is not what the event declares.
 */
export async function emit<Payload extends z.ZodType>(
  ctx: EmitContext,
  event: EventType<Payload>,
  aggregate: string,
  payload: z.input<Payload>,
): Promise<string> {
  if (!ctx.db.isTransaction) throw new Error(`${event.name} is emitted outside a transaction`);
  const envelope: Envelope = {
    id: newId(),
    name: event.name,
    version: event.version,
    aggregate,
    occurredAt: new Date().toISOString(),
    requestId: ctx.requestId,
    traceparent: ctx.traceparent,
    payload: event.payload.parse(payload),
  };
  const { id, name, occurredAt } = envelope;
  const body = JSON.stringify(envelope);
  if (Buffer.byteLength(body) > MOST_BYTES) throw new Error(`${name} is too large to be an event`);
  const transaction = await transactionOf(ctx.db);
  const wake = transaction && relayHere(transaction.schema);
  if (wake) transaction.committed.add(wake);
  const write = wake ? written : writtenAndTold;
  await post(ctx.db, write({ id, name, aggregate, body, occurredAt }));
  return id;
}

type Row = Record<"id" | "name" | "aggregate" | "body" | "occurredAt", string>;

// The gate is held until the commit: the next transaction on this aggregate draws its position and its time after
// ours is visible, so the relay never meets the later event first. A time, as positions begin anew after a restore.
const inserted = (arg: Argument<Row>) => sql`
    with gate as (
      select pg_advisory_xact_lock(
        hashtext(current_schema() || '.outbox'), abs(hashtext(${arg("aggregate")}) % ${sql.lit(GATES)}))
    )
    insert into outbox (id, name, aggregate, body, occurred_at)
    select ${arg("id")}, ${arg("name")}, ${arg("aggregate")},
      ${arg("body")}::jsonb || jsonb_build_object('order', ${microseconds("clock_timestamp()")}),
      ${arg("occurredAt")}::timestamptz from gate`;
const written = prepareStatement(inserted);

// Of commits that tell anything there is one at a time in the whole server: only a relay elsewhere is told.
const writtenAndTold = prepareStatement(
  (arg: Argument<Row>) => sql`
    with written as (${inserted(arg)} returning 1)
    select pg_notify('octavo_' || current_schema() || '_outbox', '') from written`,
);

/**
 * Lets this transaction and all others that emit about these aggregates take turns, until it ends. Who emits what an
 * aggregate is like altogether, and not just what happened to it, holds the gates before reading that.
 */
export async function lockGates({ db }: EmitContext, aggregates: string[]): Promise<void> {
  if (!db.isTransaction) throw new Error("gates are held in a transaction");
  await sql`
    select pg_advisory_xact_lock(hashtext(current_schema() || '.outbox'), gate) from (
      select distinct abs(hashtext(aggregate) % ${sql.lit(GATES)}) as gate
      from unnest(${aggregates}::text[]) as aggregate order by gate) as gates`.execute(db);
}

/** A time of PostgreSQL as microseconds since 1970. */
export const microseconds = (time: string) => sql.raw(`(extract(epoch from ${time}) * 1000000)::bigint`);

/** The channel on which a commit with events wakes the relay. */
export const outboxChannel = (schema: string) => `octavo_${schema}_outbox`;
