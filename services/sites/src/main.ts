import { readConfig } from "@octavo/shared/config";
import { startService } from "@octavo/shared/service";
import { type Config, config } from "./config.js";
import { contentAt } from "./content/client.js";
import type { Database } from "./db/database.js";
import { startRetention } from "./insights/retention.js";
import { migrations } from "./migrations.js";
import { router } from "./router.js";
import { listeners } from "./site-spaces/listeners.js";
import { startSweeping } from "./sites/unfinished.js";
import type { Ctx } from "./trpc.js";

const settings = readConfig(config);

await startService<Database, Ctx, Config>({
  name: "sites",
  version: "0.1.0",
  config: settings,
  router,
  migrations,
  dependencies: async ({ ownIdentity, vault }, { OCTAVO_CONTENT_URL: url }) => ({
    content: contentAt({ url, ownIdentity }),
    vault,
  }),
  subscriptions: listeners,
  workers: (context) => [startSweeping(context), startRetention(context, settings.OCTAVO_INSIGHTS_DAYS)],
});
