import { readConfig } from "@octavo/shared/config";
import { startService } from "@octavo/shared/service";
import { type Config, config } from "./config.js";
import type { Database } from "./db/database.js";
import { listeners } from "./events/listeners.js";
import { assetRoute } from "./integrations/assets.js";
import { jobHandlers, schedules } from "./jobs.js";
import { migrations } from "./migrations.js";
import { orgsAt } from "./orgs/client.js";
import { router } from "./router.js";
import type { Ctx } from "./trpc.js";

await startService<Database, Ctx, Config>({
  name: "integrations",
  version: "0.1.0",
  config: readConfig(config),
  router,
  migrations,
  dependencies: async ({ egress, vault, ownIdentity }, { OCTAVO_BASE_URL: base, OCTAVO_ORGS_URL: url }) => ({
    egress,
    vault,
    apiEndpoint: base.replace(/\/+$/, ""),
    orgs: orgsAt({ url, ownIdentity }),
  }),
  subscriptions: listeners,
  rawRoutes: (context) => [assetRoute(context)],
  jobHandlers,
  schedules,
  // Most of a delivery is waiting for the answer of an integration.
  concurrency: 16,
});
