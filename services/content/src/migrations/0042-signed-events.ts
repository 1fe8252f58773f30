import { signedEventTables } from "@octavo/shared/database/shared-tables";
import type { Kysely } from "kysely";

/** Events are signed, and keep their order when they are tried again. */
export const up = (db: Kysely<unknown>): Promise<void> => signedEventTables(db);
