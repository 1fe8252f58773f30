import { sql } from "kysely";
import type { Ctx } from "../trpc.js";

/**
 * Makes this transaction the only one that orders or nests content of these organizations, until it ends. Taken in
 * one order by everybody, so two transfers in opposite directions do not wait for each other.
 */
export async function lockOrder({ db }: Ctx, ...organizations: string[]): Promise<void> {
  for (const organization of [...new Set(organizations)].sort()) {
    await sql`select pg_advisory_xact_lock(
      hashtextextended(current_schema() || '.order.' || ${organization}, 0))`.execute(db);
  }
}
