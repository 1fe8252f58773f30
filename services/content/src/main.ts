import { readConfig } from "@octavo/shared/config";
import { letHeapGrow } from "@octavo/shared/memory";
import { startService } from "@octavo/shared/service";
import { type Config, config } from "./config.js";
import type { Database } from "./db/database.js";
import { dependencies } from "./dependencies.js";
import { downloadRoute } from "./files/download.js";
import { webhookRoute } from "./git/sync/webhook.js";
import { jobHandlers, schedules } from "./jobs.js";
import { migrations } from "./migrations.js";
import { pdfRoute } from "./reading/pdf/download.js";
import { publishedFileRoute } from "./reading/published-files/download.js";
import { router } from "./router.js";
import { searchSettings } from "./search-index/waiting.js";
import { documentRoutes } from "./specs/versions/download.js";
import { subscriptions } from "./subscriptions.js";
import type { Ctx } from "./trpc.js";
import { storedFileRoute } from "./uploads/storage/download.js";
import { receiveRoute } from "./uploads/storage/receive.js";

letHeapGrow();
await startService<Database, Ctx, Config>({
  name: "content",
  version: "0.1.0",
  config: readConfig(config),
  router,
  openApiFile: new URL("./openapi.json", import.meta.url),
  migrations,
  databaseSettings: searchSettings,
  dependencies,
  subscriptions,
  rawRoutes: (context) => [
    downloadRoute(context),
    publishedFileRoute(context),
    webhookRoute(context),
    pdfRoute(context),
    receiveRoute(context),
    storedFileRoute(context),
    ...documentRoutes(context),
  ],
  jobHandlers,
  schedules,
});
