import { type Kysely, sql } from "kysely";
import type { SharedTables } from "../database/shared-tables.js";
import type { Logger } from "../log.js";
import type { Subscription } from "./listen.js";

export interface RetryOptions {
  /** After as many tries an event is parked; 8 by default. */
  attempts: number;
  /** The pause after the first failure; each one is three times as long. 1 s by default. */
  baseMs: number;
  maxMs: number;
  /** A handler that takes longer has failed; 60 s by default. */
  deadlineMs: number;
}

/** With these an event survives a neighbour's outage of a quarter of an hour. */
export const DEFAULT_RETRY: RetryOptions = { attempts: 8, baseMs: 1_000, maxMs: 900_000, deadlineMs: 60_000 };

/** What a service builds the context of its handlers from. */
export interface HandlerBase<Database> {
  db: Kysely<Database>;
  log: Logger;
  requestId: string;
  traceparent?: string;
  /** Aborts at the deadline and when the service stops. */
  signal: AbortSignal;
}

export interface InboxOptions<Context, Database extends SharedTables> {
  db: Kysely<Database>;
  subscriptions: Subscription<Context>[];
  context: (base: HandlerBase<Database>) => Context;
  log: Logger;
  concurrency: number;
  retry: RetryOptions;
}

/** The condition of rows of the inbox that are neither handled nor parked. */
export const WAITING = sql`handled_at is null and parked_at is null`;

/** Waits for a handler until the deadline; rejects when that comes first. */
export function within<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error("the handler took too long"));
    deadline.addEventListener("abort", late);
    work.then(resolve, reject).finally(() => deadline.removeEventListener("abort", late));
  });
}
