import { existsSync } from "node:fs";
import { join } from "node:path";
import { deadLetters } from "@octavo/shared/commands/dead-letters";
import { createLog } from "@octavo/shared/log";
import { postgresAbove } from "./deployables.js";
import { addressOf } from "./postgres.js";
import { type SchemaName, schemas, urlsOf } from "./provision.js";
import { readSettings } from "./settings.js";
import { openState } from "./state.js";
import { warn } from "./terminal.js";

/** `npm run dead-letters [-- <service> retry <id> …]`: what waits for an operator in a running Octavo of `npm start`. */
const { dataDir, databaseUrl, port } = readSettings();
const [wanted, ...args] = process.argv.slice(2);
const chosen = schemas.filter((name) => wanted === undefined || name === wanted);

if (!existsSync(join(dataDir, "state.json"))) fail(`Octavo has never been started on ${dataDir}`);
else if (chosen.length === 0)
  fail(`Name one of the services ${schemas.join(", ")} before what is to be done`);
else for (const service of chosen) await deadLetters(placeOf(service), args);

function placeOf(service: SchemaName) {
  const { state } = openState(dataDir);
  const admin = databaseUrl ?? addressOf({ port: port + postgresAbove, password: state.postgresPassword });
  const url = urlsOf(admin, state.passwords)[service];
  return { service, url, schema: service, log: createLog({ service }) };
}

function fail(why: string) {
  warn(why);
  process.exitCode = 1;
}
