import { readConfig } from "@octavo/shared/config";
import { startService } from "@octavo/shared/service";
import { type Config, config } from "./config.js";
import type { Database } from "./db/database.js";
import { downloadRoute } from "./files/download.js";
import { migrations } from "./migrations.js";
import { performers, schedules } from "./performers.js";
import { resources } from "./resources.js";
import { router } from "./router.js";
import { searchSettings } from "./search-index/waiting.js";
import { subscriptions } from "./subscriptions.js";
import type { Ctx } from "./trpc.js";

await startService<Database, Ctx, Config>({
  name: "content",
  version: "0.1.0",
  config: readConfig(config),
  router,
  migrations,
  databaseSettings: searchSettings,
  resources,
  subscriptions,
  rawRoutes: (context) => [downloadRoute(context)],
  performers,
  schedules,
});
