import { readConfig } from "@octavo/shared/config";
import { createTxtLookup } from "@octavo/shared/dns/lookup";
import { startService } from "@octavo/shared/service";
import { type Config, config, mailOf, returnAddresses } from "./config.js";
import type { Database } from "./db/database.js";
import { jobHandlers } from "./mail/enqueue.js";
import { migrations } from "./migrations.js";
import { createMailer } from "./network/mailer.js";
import { router } from "./router.js";
import { signInRoutes } from "./sign-in/saml/routes.js";
import { subscriptions } from "./subscriptions.js";
import type { Ctx } from "./trpc.js";

const read = readConfig(config);
const mail = mailOf(read);
await startService<Database, Ctx, Config>({
  name: "orgs",
  version: "0.1.0",
  config: read,
  router,
  openApiFile: new URL("./openapi.json", import.meta.url),
  migrations,
  dependencies: async ({ vault }) => ({
    vault,
    lookupTxt: createTxtLookup(read.OCTAVO_DNS_SERVERS),
    mailer: mail && createMailer(mail),
  }),
  jobHandlers: mail && jobHandlers,
  rawRoutes: (context) => signInRoutes(context, returnAddresses(read)),
  subscriptions,
});
