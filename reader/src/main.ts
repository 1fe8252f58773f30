import { setFlagsFromString } from "node:v8";
import { readConfig } from "@octavo/shared/config";
import { drainable } from "@octavo/shared/drain";
import { createSigner } from "@octavo/shared/identity";
import { createLog } from "@octavo/shared/log";
import { collectAtRest, collectGarbage, collectYoungAlone } from "@octavo/shared/memory";
import { readerConfig } from "./config.js";
import { createDrawing } from "./drawing/drawing.js";
import { createProtocol } from "./mcp/protocol.js";
import { createReader, isHealthCheck } from "./server.js";
import { createUpstreams } from "./site/upstreams.js";

const GRACE_MS = 9_000;
/** Garbage is collected after `pieces` requests, once `afterMs` ms pass without one; health checks do not count. */
const IDLE_COLLECTION = { pieces: 50, afterMs: 10_000 };

// Pages are drawn once and then kept, so that most code here runs few times. Optimizing it as early as V8 does by default
// takes more CPU of the pages that come next than it saves: with four times the budget they take a quarter less of it.
setFlagsFromString("--interrupt-budget=540000");

collectYoungAlone();

const config = readConfig(readerConfig);
const log = createLog({ service: "reader", level: config.LOG_LEVEL });
const drawing = createDrawing();
const protocol = createProtocol();
const server = createReader({
  drawing,
  protocol,
  upstreams: createUpstreams({
    sites: config.OCTAVO_SITES_SERVICE_URL,
    content: config.OCTAVO_CONTENT_URL,
    signer: createSigner(config.OCTAVO_SIGNING_KEY),
    trustedKeys: config.OCTAVO_TRUSTED_KEYS,
  }),
  sites: (config.OCTAVO_SITES_URL ?? `${config.OCTAVO_BASE_URL.replace(/\/+$/, "")}/sites`).replace(
    /\/+$/,
    "",
  ),
  log,
});

const worked = collectAtRest(IDLE_COLLECTION);
server.on("request", (req) => {
  if (!isHealthCheck(req)) worked();
});
const drain = drainable(server);
drawing
  .warm()
  .catch((error: unknown) => log.warn({ err: error }, "threads for drawing did not start"))
  // Much of what is held then was needed for the start alone.
  .finally(collectGarbage);
server.listen(config.PORT, config.HOST, () => log.info({ port: config.PORT }, "listening"));
server.once("error", (error) => {
  log.fatal({ err: error }, "cannot listen");
  process.exit(1);
});

/** Lets what is under way finish, for a while. */
async function stop(signal: string) {
  log.info({ signal }, "stopping");
  setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  await drain();
  await Promise.all([drawing.close(), protocol.close()]);
  process.exit(0);
}
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
