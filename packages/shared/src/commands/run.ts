import type { Kysely } from "kysely";
import { readConfig, serviceConfig } from "../config.js";
import type { ServiceName } from "../contracts/callers.js";
import { logFatal } from "../database/away.js";
import { connect } from "../database/connect.js";
import type { SharedTables } from "../database/shared-tables.js";
import { createLog, type Logger } from "../log.js";

export interface ServiceDatabase {
  service: ServiceName;
  url: string;
  schema: string;
  log: Logger;
}

const needed = serviceConfig.pick({ DATABASE_URL: true, DATABASE_SCHEMA: true, LOG_LEVEL: true });

/** Where the environment says that the service's data is. */
export function databaseOf(service: ServiceName): ServiceDatabase {
  const { DATABASE_URL: url, DATABASE_SCHEMA: schema = service, LOG_LEVEL: level } = readConfig(needed);
  return { service, url, schema, log: createLog({ service, level }) };
}

/**
 * Does on a service's database what an operator's command asks for. What makes that impossible is one line of the log,
 * as at the start of a service, and the process ends with 1.
 */
export async function runOn(
  { url, schema, log }: ServiceDatabase,
  what: string,
  work: (db: Kysely<SharedTables>) => Promise<void>,
): Promise<void> {
  const { db, close } = connect<SharedTables>({ url, schema, max: 1, log });
  try {
    await work(db);
  } catch (error) {
    logFatal(log, `cannot ${what}`, error, url);
    process.exitCode = 1;
  } finally {
    await close();
  }
}
