import type { Kysely } from "kysely";
import { reindex } from "../search-index/reindex.js";

/** Pages are found by the last part of their path and by their file, too. */
export const up = (db: Kysely<unknown>): Promise<void> => reindex(db);
