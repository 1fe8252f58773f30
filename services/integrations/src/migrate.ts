import { readConfig, serviceConfig } from "@octavo/shared/config";
import { connect } from "@octavo/shared/database/connect";
import { migrate } from "@octavo/shared/database/migrate";
import { createLog } from "@octavo/shared/log";
import type { Database } from "./database.js";
import { migrations } from "./migrations.js";

const needed = serviceConfig.pick({ DATABASE_URL: true, DATABASE_SCHEMA: true, LOG_LEVEL: true });
const { DATABASE_URL: url, DATABASE_SCHEMA: schema = "integrations", LOG_LEVEL: level } = readConfig(needed);
const log = createLog({ service: "integrations", level });
const { db, close } = connect<Database>({ url, schema, max: 1, log });
await migrate({ db, migrations, log }).finally(close);
