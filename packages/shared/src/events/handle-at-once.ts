import type { SharedTables } from "../database/shared-tables.js";
import { transact } from "../database/transact.js";
import type { AuthenticEvent } from "./authenticate.js";
import { handleMany } from "./handle-together.js";
import type { InboxOptions } from "./handling.js";

/**
 * Handles those of the events that came in, in one transaction, that count in any order and have the same effect when they
 * are handled again: these need no inbox. Returns those that do; all of them when one cannot be handled, for the inbox shows
 * which one, and tries again.
 */
export async function handleAtOnce<Context, Database extends SharedTables>(
  options: InboxOptions<Context, Database>,
  names: ReadonlySet<string>,
  events: AuthenticEvent[],
  stop: AbortSignal,
): Promise<AuthenticEvent[]> {
  const atOnce = events.filter(({ name }) => names.has(name));
  if (atOnce.length === 0) return events;
  try {
    await transact({ db: options.db }, ({ db }) => handleMany(options, db, atOnce, stop));
  } catch {
    return events;
  }
  return events.filter(({ name }) => !names.has(name));
}
