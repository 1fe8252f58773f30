import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

/**
 * What waits to be put into the index of pages is read by every search, so little may wait, in kB. Putting it there
 * costs the less the more of it there is, so an import lets more wait while it lasts.
 */
const WAITING = 256;
const WAITING_OF_MANY = 2_048;

/** Settings of PostgreSQL for every session of the service. */
export const searchSettings = { gin_pending_list_limit: String(WAITING) };

/** Lets more wait, until the transaction ends. */
export async function allowPendingEntries({ db }: Pick<Ctx, "db">): Promise<void> {
  await sql`select set_config('gin_pending_list_limit', ${String(WAITING_OF_MANY)}, true)`.execute(db);
}
