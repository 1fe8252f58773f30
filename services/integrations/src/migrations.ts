import type { Migration } from "kysely";
import * as integrations from "./migrations/0001-integrations.js";

/** All migrations of the service by name, in the order in which they run. */
export const migrations: Record<string, Migration> = {
  "0001-integrations": integrations,
};
