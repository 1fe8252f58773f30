import type { Migration } from "kysely";
import type { ServiceName } from "../contracts/callers.js";
import { migrate } from "../database/migrate.js";
import { databaseOf, runOn } from "./run.js";

/** `npm run migrate -w services/<name>`: brings the service's schema up to date without starting the service. */
export async function migrateCommand(service: ServiceName, migrations: Record<string, Migration>) {
  const place = databaseOf(service);
  await runOn(place, "migrate", async (db) => {
    await migrate({ db, migrations, log: place.log });
    place.log.info("the schema is up to date");
  });
}
