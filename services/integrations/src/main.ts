import { readConfig } from "@octavo/shared/config";
import { startService } from "@octavo/shared/service";
import { type Config, config } from "./config.js";
import { contentAt } from "./content/client.js";
import type { Database } from "./db/database.js";
import { listeners } from "./events/listeners.js";
import { assetRoute } from "./integrations/assets.js";
import { jobHandlers, schedules } from "./jobs.js";
import { migrations } from "./migrations.js";
import { orgsAt } from "./orgs/client.js";
import { publicRoutes } from "./public-endpoints/routes.js";
import { router } from "./router.js";
import { startRuntime } from "./runtime/start.js";
import { sitesAt } from "./sites/client.js";
import type { Ctx } from "./trpc.js";
import { webhookListeners } from "./webhooks/listeners.js";

const apiEndpointOf = ({ OCTAVO_BASE_URL: base }: Config) => base.replace(/\/+$/, "");

await startService<Database, Ctx, Config>({
  name: "integrations",
  version: "0.1.0",
  config: readConfig(config),
  router,
  openApiFile: new URL("./openapi.json", import.meta.url),
  migrations,
  dependencies: async ({ egress, vault, ownIdentity, log }, config) => ({
    egress,
    vault,
    apiEndpoint: apiEndpointOf(config),
    eventDays: config.OCTAVO_EVENT_DAYS,
    runtime: startRuntime({
      egress,
      log,
      apiEndpoint: apiEndpointOf(config),
      gatewayUrl: config.OCTAVO_GATEWAY_URL ?? apiEndpointOf(config),
      workerd: config.OCTAVO_WORKERD,
      timeoutMs: config.OCTAVO_SCRIPT_TIMEOUT,
      memory: config.OCTAVO_SCRIPT_MEMORY,
    }),
    orgs: orgsAt({ url: config.OCTAVO_ORGS_URL, ownIdentity }),
    content: contentAt({ url: config.OCTAVO_CONTENT_URL, ownIdentity }),
    sites: sitesAt({ url: config.OCTAVO_SITES_SERVICE_URL, ownIdentity }),
  }),
  subscriptions: [...listeners, ...webhookListeners],
  rawRoutes: (context) => [assetRoute(context), ...publicRoutes(context)],
  degraded: (context) => {
    const { unavailable } = context().runtime;
    return unavailable ? [`runtime: ${unavailable}`] : [];
  },
  workers: (context) => [context().runtime],
  jobHandlers,
  schedules,
  // Most of a delivery is waiting for the response of an integration.
  concurrency: 16,
});
