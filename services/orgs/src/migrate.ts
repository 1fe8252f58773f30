import { readConfig, serviceConfig } from "@octavo/shared/config";
import { connect } from "@octavo/shared/database/connect";
import { migrate } from "@octavo/shared/database/migrate";
import { createLog } from "@octavo/shared/log";
import type { Database } from "./database.js";
import { migrations } from "./migrations.js";

const wanted = serviceConfig.pick({ DATABASE_URL: true, DATABASE_SCHEMA: true, LOG_LEVEL: true });
const { DATABASE_URL: url, DATABASE_SCHEMA: schema = "orgs", LOG_LEVEL: level } = readConfig(wanted);
const connection = connect<Database>({ url, schema, max: 1 });
await migrate({ db: connection.db, migrations, log: createLog({ service: "orgs", level }) });
await connection.close();
