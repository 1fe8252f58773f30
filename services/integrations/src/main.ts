import { readConfig } from "@octavo/shared/config";
import { startJobs } from "@octavo/shared/jobs/start";
import { startService } from "@octavo/shared/service";
import type { z } from "zod";
import { config } from "./config.js";
import type { Database } from "./database.js";
import { listeners } from "./events/listeners.js";
import { assetRoute } from "./integrations/assets.js";
import { work } from "./jobs.js";
import { migrations } from "./migrations.js";
import { neighbours } from "./neighbours.js";
import { router } from "./router.js";
import type { Ctx } from "./trpc.js";

const settings = readConfig(config);
const { DATABASE_URL: databaseUrl, OCTAVO_BASE_URL: base, OCTAVO_ORGS_URL: orgsUrl } = settings;

await startService<Database, Ctx, z.output<typeof config>>({
  name: "integrations",
  version: "0.1.0",
  config: settings,
  router,
  migrations,
  resources: async ({ egress, vault, ownIdentity }) => ({
    egress,
    vault,
    apiEndpoint: base.replace(/\/+$/, ""),
    ...neighbours({ orgsUrl, ownIdentity }),
  }),
  subscriptions: listeners,
  rawRoutes: (context) => [assetRoute(context)],
  workers: async ({ context, schema, connection: { db } }) => [
    await startJobs({ databaseUrl, schema, db, log: context().log, ...work, context }),
  ],
});
