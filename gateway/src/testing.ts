import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from "node:http";
import { type AddressInfo, connect, type Server as TcpServer } from "node:net";
import type { UserCaller } from "@octavo/shared/contracts/callers";
import { createSigner, createVerifier, type Signer, type Verifier } from "@octavo/shared/identity";
import { createLog } from "@octavo/shared/log";
import type { AppPages } from "./app-pages.js";
import { type Bearers, createBearers, type Place, type ResolvedToken } from "./bearer.js";
import { createCollector } from "./collect.js";
import type { UpstreamName } from "./config.js";
import type { BodyTimes } from "./front.js";
import type { Hosts } from "./hosts.js";
import { createRateLimit } from "./limits.js";
import { createPace } from "./pace.js";
import { createProxy } from "./proxy.js";
import { createRouteTable, type GatewayRoute } from "./routes.js";
import { createGateway } from "./server.js";
import { createSites } from "./sites.js";

export const TOKEN = "test-token-0123456789";

/** A route of content by default. */
export const route = (method: string, path: string, more: Partial<GatewayRoute> = {}): GatewayRoute => ({
  method,
  path: `/v1${path}`,
  service: "content",
  operation: "spaces.any",
  status: 200,
  ...more,
});

const ROUTES = [
  route("GET", "/spaces/{spaceId}"),
  route("PATCH", "/spaces/{spaceId}"),
  route("GET", "/spaces/{spaceId}/content/path/{pagePath*}"),
  route("POST", "/spaces/{spaceId}/content", { status: 201 }),
  route("GET", "/spaces/latest"),
  route("GET", "/old", { deprecated: { since: "2026-11-01", sunset: "2027-05-01" } }),
  route("GET", "/files/{fileId}/download", { auth: "none" }),
  route("GET", "/sign-in", { auth: "none", limit: "address" }),
  route("POST", "/visits/{rest*}", { auth: "none", limit: "visit", anyType: true }),
  route("POST", "/sign-in", { auth: "none", limit: "address" }),
  route("POST", "/books", { maxBody: 1_000_000 }),
  route("POST", "/forms", { auth: "none", form: true }),
  route("GET", "/sites/{siteId}", { service: "sites" }),
];

export const ada: UserCaller = {
  kind: "user",
  id: "user1",
  name: "Ada",
  organizations: { acme: "admin" },
  teams: [],
  token: "token1",
};

export interface TestGateway {
  url: string;
  port: number;
  bearers: Bearers;
  verifier: Verifier;
  /** How often orgs was asked who holds a token. */
  asked: () => number;
  failures: { service: string; error: Error }[];
  stop(): Promise<void>;
}

interface TestOptions {
  upstream: RequestListener;
  routes?: GatewayRoute[];
  upstreams?: Partial<Record<UpstreamName, string>>;
  resolve?: (token: string, place?: Place) => Promise<ResolvedToken | null>;
  isConnected?: () => boolean;
  reads?: number;
  failuresPerMinute?: number;
  signInsPerMinute?: number;
  visitsPerMinute?: number;
  bodyLimit?: number;
  /** Bytes of memory for collected bodies. */
  memory?: number;
  bodyTimes?: BodyTimes;
  /** Connections to each service. */
  connections?: number;
  /** How long others of its party wait for a request. */
  countedMs?: number;
  connectionsPerAddress?: number;
  /** How often slow transfers are looked for. */
  paceMs?: number;
  timeoutMs?: number;
  trustedHops?: number;
  appPages?: AppPages;
  /** Where published sites are shown, and whose hosts are; without it there are none. */
  sites?: { reader: string; hosts: Hosts; base?: string; perMinute?: number; idleMs?: number };
}

/** The gateway on a free port, before a real HTTP server that stands for every service. */
export async function startGateway(options: TestOptions): Promise<TestGateway> {
  const { signer, verifier } = newKeys();
  const upstream = await listen(createServer(options.upstream));
  const upstreams = {
    orgs: upstream.url,
    content: upstream.url,
    sites: upstream.url,
    integrations: upstream.url,
  };
  Object.assign(upstreams, options.upstreams);
  let asked = 0;
  const failures: TestGateway["failures"] = [];
  const resolve = options.resolve ?? (async (token) => (token === TOKEN ? { caller: ada } : null));
  const bearers = createBearers({
    resolve: (token, place) => {
      asked++;
      return resolve(token, place);
    },
    signer,
    isConnected: options.isConnected ?? (() => true),
  });
  const { bodyLimit = 1_000_000, timeoutMs = 5_000, trustedHops = 0 } = options;
  const pace = createPace(options.paceMs ?? 30_000);
  const proxy = createProxy({
    upstreams,
    timeoutMs,
    connections: options.connections ?? 256,
    countedMs: options.countedMs,
    pace,
    onFailure: (error, _req, service) => failures.push({ service, error }),
    onIdentityChange: bearers.drop,
  });
  const collector = createCollector(options.memory ?? 64 * 1024 * 1024);
  const { reader = "", hosts, base = "http://octavo.test/sites" } = options.sites ?? {};
  const { perMinute = 100_000, idleMs } = options.sites ?? {};
  const sites =
    hosts &&
    createSites({
      reader,
      base,
      hosts,
      connections: 8,
      pace,
      collector,
      timeoutMs,
      idleMs,
      rate: createRateLimit(perMinute),
      onFailure: (error) => failures.push({ service: "reader", error }),
    });
  const gateway = await listen(
    createGateway({
      routes: createRouteTable(options.routes ?? ROUTES),
      bearers,
      proxy,
      reads: createRateLimit(options.reads ?? 100_000),
      writes: createRateLimit(100_000),
      failures: createRateLimit(options.failuresPerMinute ?? 1_000),
      signIns: createRateLimit(options.signInsPerMinute ?? 1_000),
      visits: createRateLimit(options.visitsPerMinute ?? 1_000),
      collector,
      bodyLimit,
      bodyTimes: options.bodyTimes ?? { open: 10_000, bearer: 30_000 },
      connectionsPerAddress: options.connectionsPerAddress ?? 4_000,
      trustedHops,
      upstreams,
      base: "https://octavo.test",
      ...(sites && { sites }),
      ...(options.appPages && { appPages: options.appPages }),
      information: { version: "1.2.3", build: "2026-01-01T00:00:00.000Z" },
      log: createLog({ service: "gateway", level: "silent" }),
    }),
  );
  return {
    ...gateway,
    bearers,
    verifier,
    asked: () => asked,
    failures,
    async stop() {
      proxy.close();
      sites?.close();
      pace.stop();
      await Promise.all([gateway.stop(), upstream.stop()]);
    },
  };
}

function newKeys(): { signer: Signer; verifier: Verifier } {
  const { privateKey } = generateKeyPairSync("ed25519");
  const secret = { ...privateKey.export({ format: "jwk" }), kid: "gateway" };
  const { d: _, ...open } = secret;
  return { signer: createSigner(secret), verifier: createVerifier({ keys: [open] }) };
}

export async function listen(server: Server | TcpServer, port = 0) {
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  const address = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      if ("closeAllConnections" in server) server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${address.port}`, port: address.port, stop };
}

export const authorized = { authorization: `Bearer ${TOKEN}` };

export interface TestResponse {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  /** The body parsed as JSON. */
  json: () => { error: { code: number; message: string; reason: string; requestId: string } } & Record<
    string,
    unknown
  >;
}

/** One request with the path exactly as written. */
export function send(
  { port }: { port: number },
  method: string,
  path: string,
  options: { headers?: Record<string, string | string[]>; body?: string | Buffer } = {},
): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    const { headers = authorized, body } = options;
    const outgoing = request({ port, method, path, headers, agent: false }, async (res) => {
      let text = "";
      try {
        for await (const chunk of res) text += chunk;
      } catch (error) {
        return reject(error);
      }
      resolve({ status: res.statusCode!, headers: res.headers, text, json: () => JSON.parse(text) });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Everything that comes back when these bytes are written to a connection, until it closes or falls silent. */
export function raw({ port }: { port: number }, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    let timer = setTimeout(end, 3_000);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      clearTimeout(timer);
      timer = setTimeout(end, 400);
    });
    socket.on("close", end);
    socket.on("error", end);
  });
}
