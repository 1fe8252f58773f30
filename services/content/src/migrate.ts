import { readConfig, serviceConfig } from "@octavo/shared/config";
import { connect } from "@octavo/shared/database/connect";
import { migrate } from "@octavo/shared/database/migrate";
import { migrations } from "./migrations.js";

/** `npm run migrate -w services/content`: brings the schema up to date without starting the service. */
const { DATABASE_URL: url, DATABASE_SCHEMA: schema = "content" } = readConfig(
  serviceConfig.pick({ DATABASE_URL: true, DATABASE_SCHEMA: true }),
);
const { db, close } = connect({ url, schema });
const applied = await migrate({ db, migrations });
process.stdout.write(applied.length ? `Applied: ${applied.join(", ")}\n` : "Up to date\n");
await close();
