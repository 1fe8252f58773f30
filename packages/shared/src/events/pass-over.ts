import type { SharedTables } from "../database/shared-tables.js";
import type { AuthenticEvent } from "./authenticate.js";
import type { InboxOptions } from "./handling.js";

/**
 * Returns those of the events that came in that concern this service: an event is passed over when each of its listeners says
 * that it has no effect at present. All of them are returned when that cannot be said.
 */
export async function passOver<Context, Database extends SharedTables>(
  { subscriptions, context, db, log }: InboxOptions<Context, Database>,
  events: AuthenticEvent[],
  signal: AbortSignal,
): Promise<AuthenticEvent[]> {
  const idle = new Set<AuthenticEvent>();
  try {
    for (const name of new Set(events.map((event) => event.name))) {
      const listeners = subscriptions.filter(({ event }) => event.name === name);
      if (!listeners.every(({ concerns }) => concerns)) continue;
      const named = events.filter((event) => event.name === name);
      const ctx = context({ db, log, requestId: named[0]!.id, signal });
      const payloads = named.map(({ payload }) => payload);
      const each = await Promise.all(listeners.map((one) => one.concerns!(ctx, payloads)));
      for (const [at, event] of named.entries()) if (!each.some((concerns) => concerns[at])) idle.add(event);
    }
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, "whom events concern could not be said, all are handled");
    return events;
  }
  return events.filter((event) => !idle.has(event));
}
