import { sql } from "kysely";
import type { Ctx } from "../../trpc.js";

/** Until the end of the transaction nobody else bootstraps. */
export const takeTurn = ({ db }: Ctx) =>
  sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || '.bootstrap', 0))`.execute(db);
