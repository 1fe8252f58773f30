import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createHosts, type Hosts } from "./hosts.js";
import { createRateLimit } from "./limits.js";
import { listen, send, startGateway, type TestGateway } from "./testing.js";

/** Hosts of sites by name; the next lookup of an error fails. */
const owned = new Map<string, string>();
let lookups: string[] = [];
let isAway = false;
let isHeard = true;
let hosts: Hosts;
let gateway: TestGateway;
let reader: Awaited<ReturnType<typeof listen>>;
/** Requests without a response of the reader yet. */
let held: (() => void)[] | undefined;

const newHosts = (more: Partial<Parameters<typeof createHosts>[0]> = {}) =>
  createHosts({
    platform: ["http://octavo.test", "http://app.octavo.test/app"],
    sites: "http://octavo.test/sites",
    sitesDomain: "pages.test",
    lookup: async (hostname) => {
      lookups.push(hostname);
      if (isAway) throw new Error("away");
      return owned.get(hostname) ?? null;
    },
    isConnected: () => isHeard,
    failures: createRateLimit(20),
    ...more,
  });

beforeAll(async () => {
  reader = await listen(
    createServer((req, res) => {
      const respond = () => {
        res.writeHead(200, { "content-type": "text/plain", "content-security-policy": "default-src 'none'" });
        res.end(JSON.stringify({ url: req.url, headers: req.headers }));
      };
      if (held) held.push(respond);
      else respond();
    }),
  );
  const current: Hosts = {
    known: (hostname) => hosts.known(hostname),
    find: (hostname, ip) => hosts.find(hostname, ip),
    drop: (change) => hosts.drop(change),
    dropAll: () => hosts.dropAll(),
  };
  gateway = await startGateway({
    upstream: (_, res) => res.end("service"),
    sites: { reader: reader.url, hosts: current, perMinute: 40 },
    trustedHops: 1,
    timeoutMs: 60_000,
  });
});
afterAll(() => Promise.all([gateway.stop(), reader.stop()]));
beforeEach(() => {
  owned.clear();
  [lookups, isAway, isHeard, hosts] = [[], false, true, newHosts()];
});

let addresses = 0;
/** A request from an address of its own by default. */
const get = (host: string, path = "/", headers = {}, method = "GET") =>
  send(gateway, method, path, { headers: { host, "x-forwarded-for": `10.0.0.${++addresses}`, ...headers } });
const shownAt = async (host: string, path = "/", headers = {}) => {
  const { status, text } = await get(host, path, headers);
  return status === 200 && text.startsWith('{"url"') ? (JSON.parse(text).url as string) : undefined;
};

test("on the host of a site every path is the site's, those of the interface among them", async () => {
  owned.set("docs.example.com", "site_1");
  for (const path of [
    "/",
    "/set-up?a=b",
    "/v1/",
    "/v1/spaces/s",
    "/v1/openapi.json",
    "/docs",
    "/livez",
    "/sites/x/",
  ])
    expect(await shownAt("docs.example.com", path), path).toBe(`/~hosts/docs.example.com${path}`);
  for (const spelling of ["DOCS.Example.com", "docs.example.com:8443", "docs.example.com."])
    expect(await shownAt(spelling), spelling).toBe("/~hosts/docs.example.com/");
  const { headers, text } = await get("docs.example.com", "/", {
    authorization: "Bearer secret-of-the-interface",
    cookie: "octavo-visitor-a=b",
    "x-octavo-identity": "x",
    forwarded: "host=a.b.c",
    "x-forwarded-host": "other.example.com",
    "x-forwarded-proto": "https",
  });
  expect(headers["access-control-allow-origin"] ?? headers["x-ratelimit-limit"]).toBeUndefined();
  expect(headers["content-security-policy"]).toBe("default-src 'none'");
  const isConnected = Object.keys(JSON.parse(text).headers).filter(
    (name) => name !== "connection" && name !== "host",
  );
  expect(isConnected.toSorted()).toEqual(["cookie", "x-request-id"]);
  const written = await get("docs.example.com", "/", {}, "POST");
  expect([written.status, written.headers["access-control-allow-origin"]]).toEqual([405, undefined]);
});

test("on sites several slashes lead to single ones of the same host, and another path that is not canonical is a page's 404", async () => {
  owned.set("docs.example.com", "site_1");
  const at = async (host: string, path: string) => {
    const { status, headers, text } = await get(host, path);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    return headers.location === undefined ? [status, JSON.parse(text).url] : [status, headers.location];
  };
  expect(await at("docs.example.com", "//guide//a?b=//c")).toEqual([308, "/guide/a?b=//c"]);
  expect(await at("docs.example.com", "//evil.example")).toEqual([308, "/evil.example"]);
  expect(await at("octavo.test", "/sites//docs/")).toEqual([308, "/sites/docs/"]);
  for (const path of ["/a/../b", "//a\\b", "/\\evil.example", "/a%2e%2e", "/a/%5Cb", "http://evil.example/"])
    expect(await at("docs.example.com", path), path).toEqual([200, "/"]);
  expect(await at("octavo.test", "/sites/../v1/")).toEqual([200, "/"]);
  const other = await get("octavo.test", "//sites/docs/");
  expect([other.status, other.json().error.reason]).toEqual([400, "invalid_path"]);
});

test("a host below the sites' domain belongs to a site without any lookup, the domain itself and the platform's do not", async () => {
  expect(await shownAt("guide.pages.test", "/a")).toBe("/~hosts/guide.pages.test/a");
  for (const host of [
    "pages.test",
    "octavo.test",
    "app.octavo.test",
    "127.0.0.1:4000",
    "[::1]:4000",
    "gateway",
  ])
    expect((await get(host, "/v1/")).text, host).toContain('"version"');
  expect((await get("gateway.ns.svc.cluster.local", "/v1/")).text).toContain('"version"');
  expect(await shownAt("octavo.test", "/sites/guide/a")).toBe("/sites/guide/a");
  expect(lookups).toEqual([]);
});

test("a host that belongs to no site gets the API, and sites looks it up once", async () => {
  for (let times = 0; times < 5; times++)
    expect((await get("api.example.org", "/v1/")).text).toContain('"version"');
  await Promise.all(Array.from({ length: 10 }, () => get("other.example.org", "/v1/")));
  expect(lookups).toEqual(["api.example.org", "other.example.org"]);
});

test("headers other than Host do not decide which site is shown", async () => {
  owned.set("docs.example.com", "site_1");
  for (const name of ["x-forwarded-host", "x-host", "x-original-host", "forwarded", "x-octavo-host"]) {
    const { text } = await get("api.example.org", "/v1/", { [name]: "docs.example.com" });
    expect(text, name).toContain('"version"');
  }
  expect((await get("octavo.test", "/~hosts/docs.example.com/")).status).toBe(404);
});

test("the event of a site updates the hosts that it gained or lost", async () => {
  expect(await shownAt("docs.example.com", "/v1/")).toBeUndefined();
  owned.set("docs.example.com", "site_1");
  expect(await shownAt("docs.example.com", "/v1/")).toBeUndefined();
  hosts.drop({ site: "site_1", hostname: "docs.example.com" });
  expect(await shownAt("docs.example.com", "/v1/")).toBe("/~hosts/docs.example.com/v1/");
  owned.delete("docs.example.com");
  hosts.drop({ site: "site_2" });
  expect(await shownAt("docs.example.com", "/v1/")).toBeDefined();
  hosts.drop({ site: "site_1" });
  expect(await shownAt("docs.example.com", "/v1/")).toBeUndefined();
});

test("a lookup that was under way when a site changed is used once and not kept", async () => {
  const pending: ((site: string | null) => void)[] = [];
  hosts = newHosts({ lookup: () => new Promise((resolve) => pending.push(resolve)) });
  const first = hosts.find("docs.example.com", "10.1.1.1");
  await new Promise(setImmediate);
  hosts.drop({ site: "site_1", hostname: "docs.example.com" });
  pending[0]!(null);
  expect(await first).toBe("platform");
  expect(hosts.known("docs.example.com")).toBeUndefined();
});

test("while no events arrive, lookups are trusted only briefly; while sites is away, its last response is used", async () => {
  owned.set("docs.example.com", "site_1");
  hosts = newHosts({ longMs: 60_000, shortMs: 0 });
  expect(await shownAt("docs.example.com")).toBeDefined();
  isHeard = false;
  expect(await shownAt("docs.example.com")).toBeDefined();
  expect(lookups).toHaveLength(2);
  isAway = true;
  expect(await shownAt("docs.example.com")).toBeDefined();
  const { status, headers } = await get("new.example.com", "/v1/");
  expect([status, headers["retry-after"]]).toEqual([503, "5"]);
  expect((await get("octavo.test", "/v1/")).status).toBe(200);
});

test("an address that comes with too many hosts that are none waits, and nobody else", async () => {
  owned.set("docs.example.com", "site_1");
  expect(await shownAt("docs.example.com")).toBeDefined();
  const from = { "x-forwarded-for": "10.9.9.9" };
  const statuses = [];
  for (let at = 0; at < 25; at++) statuses.push((await get(`h${at}.example.net`, "/v1/", from)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.at(-1)).toBe(429);
  expect(lookups).toHaveLength(21);
  expect(await shownAt("docs.example.com", "/", from)).toBeDefined();
  expect((await get("another.example.net", "/v1/")).status).toBe(200);
});

test("requests for sites are counted by the address that they come from", async () => {
  const from = { "x-forwarded-for": "10.8.8.8" };
  const statuses = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      get(at % 2 ? "guide.pages.test" : "octavo.test", "/sites/a/", from).then(({ status }) => status),
    ),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  const busy = await get("octavo.test", "/sites/a/", from);
  expect([busy.status, Number(busy.headers["retry-after"]) > 0]).toEqual([429, true]);
  expect((await get("octavo.test", "/v1/", from)).status).toBe(200);
  expect((await get("octavo.test", "/sites/a/")).status).toBe(200);
  const searching = { "x-forwarded-for": "10.8.8.9" };
  const searches = Array.from({ length: 10 }, () => get("octavo.test", "/sites/a/~octavo/search", searching));
  expect((await Promise.all(searches)).filter(({ status }) => status === 429)).toHaveLength(2);
});

test("one address that takes all it can leaves a way to the reader for others", async () => {
  held = [];
  const from = { "x-forwarded-for": "10.7.7.7" };
  const many = Array.from({ length: 30 }, () => get("guide.pages.test", "/", from));
  const waiting = held;
  while (waiting.length < 3) await new Promise(setImmediate);
  const before = waiting.length;
  const other = get("guide.pages.test", "/other");
  while (waiting.length === before) await new Promise(setImmediate);
  held = undefined;
  waiting.at(-1)!();
  expect((await other).text).toContain("/~hosts/guide.pages.test/other");
  for (const respond of waiting.slice(0, -1)) respond();
  expect([...new Set((await Promise.all(many)).map(({ status }) => status))]).toEqual([200]);
});
