import type { Kysely } from "kysely";
import { reindex } from "../search/reindex.js";

/** Pages are found by the last part of their path and by their file, too. */
export const up = (db: Kysely<unknown>): Promise<void> => reindex(db);
