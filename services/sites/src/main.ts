import { createCoalescer } from "@octavo/shared/coalesce";
import { readConfig } from "@octavo/shared/config";
import { createTxtLookup } from "@octavo/shared/dns/lookup";
import { collectYoungAlone, letHeapGrow } from "@octavo/shared/memory";
import { createReaderTokens } from "@octavo/shared/reader-tokens";
import { startService } from "@octavo/shared/service";
import { type Config, config } from "./config.js";
import { contentAt } from "./content/client.js";
import type { Database } from "./db/database.js";
import { startRetention } from "./insights/retention.js";
import { migrations } from "./migrations.js";
import { createProfileCache } from "./profiles.js";
import { router } from "./router.js";
import { listeners } from "./site-spaces/listeners.js";
import { startSweeping } from "./sites/unfinished.js";
import { createSpacesAt } from "./spaces-at.js";
import { createStructureCache } from "./tree/cache.js";
import type { Ctx } from "./trpc.js";

letHeapGrow();
collectYoungAlone();
const settings = readConfig(config);

await startService<Database, Ctx, Config>({
  name: "sites",
  version: "0.1.0",
  config: settings,
  router,
  openApiFile: new URL("./openapi.json", import.meta.url),
  migrations,
  dependencies: async ({ ownIdentity, vault }, config) => ({
    content: contentAt({ url: config.OCTAVO_CONTENT_URL, ownIdentity }),
    vault,
    readerTokens: createReaderTokens(config.OCTAVO_SIGNING_KEY),
    lookupTxt: createTxtLookup(config.OCTAVO_DNS_SERVERS),
    structures: createStructureCache(),
    spacesAt: createSpacesAt(),
    profiles: createProfileCache(),
    coalesce: createCoalescer(),
  }),
  subscriptions: listeners,
  workers: (context) => [startSweeping(context), startRetention(context, settings.OCTAVO_INSIGHTS_DAYS)],
});
