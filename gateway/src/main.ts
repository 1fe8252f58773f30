import { readFileSync, statSync } from "node:fs";
import { readConfig } from "@octavo/shared/config";
import { drainable } from "@octavo/shared/drain";
import { createEventVerifier } from "@octavo/shared/events/signature";
import { createSigner } from "@octavo/shared/identity";
import { createLog } from "@octavo/shared/log";
import { collectAfterStart, collectYoungAlone, letHeapGrow } from "@octavo/shared/memory";
import { createAppPages } from "./app-pages.js";
import { type Bearers, createBearers } from "./bearer.js";
import { createCollector } from "./collect.js";
import { gatewayConfig, upstreamsOf } from "./config.js";
import { exchangeOf } from "./exchange.js";
import { createHosts } from "./hosts.js";
import { createRateLimit } from "./limits.js";
import { createPace } from "./pace.js";
import { createProxy } from "./proxy.js";
import { createHostLookup, createPublicLookup, createTokenResolver } from "./resolve.js";
import { listenForChanges } from "./revocation.js";
import { createRouteTable, readRoutes } from "./routes.js";
import { createGateway } from "./server.js";
import { createSites } from "./sites.js";

const GRACE_MS = 9_000;

letHeapGrow();
collectYoungAlone();
const config = readConfig(gatewayConfig);
const log = createLog({ service: "gateway", level: config.LOG_LEVEL });
const upstreams = upstreamsOf(config);
const signer = createSigner(config.OCTAVO_SIGNING_KEY);
const bearers: Bearers = createBearers({
  resolve: createTokenResolver(upstreams, signer, config.OCTAVO_TRUSTED_KEYS),
  signer,
  isConnected: () => changes.isConnected(),
});
const verifier = createEventVerifier(config.OCTAVO_TRUSTED_KEYS);
const sitesUrl = config.OCTAVO_SITES_URL ?? `${config.OCTAVO_BASE_URL.replace(/\/+$/, "")}/sites`;
const hosts = createHosts({
  platform: [config.OCTAVO_BASE_URL, config.OCTAVO_APP_URL ?? config.OCTAVO_BASE_URL],
  sites: sitesUrl,
  sitesDomain: config.OCTAVO_SITES_DOMAIN,
  lookup: createHostLookup(upstreams, signer),
  isConnected: () => changes.isConnected(),
  failures: createRateLimit(config.OCTAVO_RATE_FAILURES),
});
const changes = listenForChanges({ natsUrl: config.NATS_URL, verifier, log }, bearers, hosts);
const pace = createPace(30_000);
const proxy = createProxy({
  upstreams,
  timeoutMs: config.OCTAVO_UPSTREAM_TIMEOUT,
  connections: 256,
  pace,
  onFailure: (error, req, service) =>
    log.warn({ err: error, service, requestId: exchangeOf(req).requestId }, "a service did not respond"),
  onIdentityChange: bearers.drop,
});

const collector = createCollector(64 * 1024 * 1024);
const sites =
  config.OCTAVO_READER_URL &&
  createSites({
    reader: config.OCTAVO_READER_URL,
    base: sitesUrl,
    hosts,
    rate: createRateLimit(config.OCTAVO_RATE_PAGES),
    connections: 256,
    pace,
    collector,
    timeoutMs: config.OCTAVO_UPSTREAM_TIMEOUT,
    onFailure: (error, req) =>
      log.warn({ err: error, requestId: exchangeOf(req).requestId }, "the reader did not respond"),
  });

const appPages = createAppPages({
  base: config.OCTAVO_BASE_URL,
  app: config.OCTAVO_APP_URL ?? `${config.OCTAVO_BASE_URL.replace(/\/+$/, "")}/app`,
  lookup: createPublicLookup(upstreams, signer),
  rate: createRateLimit(config.OCTAVO_RATE_PAGES),
});

const packageFile = new URL("../package.json", import.meta.url);
const server = createGateway({
  routes: createRouteTable(readRoutes()),
  bearers,
  proxy,
  reads: createRateLimit(config.OCTAVO_RATE_READS),
  writes: createRateLimit(config.OCTAVO_RATE_WRITES),
  failures: createRateLimit(config.OCTAVO_RATE_FAILURES),
  signIns: createRateLimit(config.OCTAVO_RATE_SIGN_INS),
  visits: createRateLimit(config.OCTAVO_RATE_VISITS),
  collector,
  bodyLimit: config.OCTAVO_BODY_LIMIT,
  bodyTimes: { open: 10_000, bearer: 30_000 },
  connectionsPerAddress: config.OCTAVO_CONNECTIONS_PER_ADDRESS,
  trustedHops: config.OCTAVO_TRUSTED_HOPS,
  upstreams,
  base: config.OCTAVO_BASE_URL,
  ...(sites && { sites }),
  ...(appPages && { appPages }),
  information: {
    version: (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version,
    build: process.env.OCTAVO_BUILD ?? statSync(new URL(import.meta.url)).mtime.toISOString(),
  },
  log,
});

const drain = drainable(server);
collectAfterStart();
server.listen(config.PORT, config.HOST, () =>
  log.info({ port: config.PORT, host: config.HOST }, "listening"),
);
server.once("error", (error) => {
  log.fatal({ err: error }, "cannot listen");
  process.exit(1);
});

/** Lets what is under way finish, for a while. */
async function stop(signal: string) {
  log.info({ signal }, "stopping");
  setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  await drain();
  proxy.close();
  if (sites) sites.close();
  await changes.stop();
  process.exit(0);
}
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
