import { createServer, connect as dial, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { newIntegrationBearer } from "@octavo/shared/bearer";
import { createLog } from "@octavo/shared/log";
import { envelopeOf, publishRaw, testSigner, testVerifier } from "@octavo/shared/testing/signing";
import { afterEach, expect, test, vi } from "vitest";
import type { Bearers, ResolvedToken } from "./bearer.js";
import { type Changes, listenForChanges } from "./revocation.js";
import { ada, listen, send, startGateway, type TestGateway, TOKEN } from "./testing.js";

let gateway: TestGateway | undefined;
let changes: Changes | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await gateway?.stop();
  await changes?.stop();
  gateway = changes = undefined;
});

const upstream = (_req: unknown, res: { end: (text: string) => void }) => res.end("{}");
const read = async () => (await send(gateway!, "GET", "/v1/spaces/s")).status;

/** Waits for something to be so, and returns whether it came to be. */
async function until(done: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; !(await done()); await sleep(10)) {
    if (Date.now() >= deadline) return false;
  }
  return true;
}

/** The clock that decides what is still trusted. */
function advance(ms: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

/** A gateway that receives changes over the real broker; `holder` is the holder that orgs returns for the token. */
async function startWithBroker(natsUrl = process.env.NATS_URL!) {
  const state: { holder: ResolvedToken | null } = { holder: { caller: ada } };
  gateway = await startGateway({
    upstream,
    resolve: async () => state.holder,
    isConnected: () => changes?.isConnected() ?? false,
  });
  const log = createLog({ service: "t", level: "silent" });
  changes = listenForChanges({ natsUrl, verifier: testVerifier, log }, gateway.bearers);
  await until(() => changes!.isConnected(), 5_000);
  return state;
}

/** A way to the broker that can be cut. */
async function startRelay(natsUrl: string) {
  const { hostname, port } = new URL(natsUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = dial(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  const { url, port: own } = await listen(server);
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.replace("http", "nats"),
    cut,
    mend: () => new Promise<void>((done) => server.listen(own, "127.0.0.1", done)),
    stop: async () => cut(),
  };
}

const events = "octavo.events";

async function publish(name: string, payload: object) {
  const [service = ""] = name.split(".");
  const body = envelopeOf(name, "x", payload);
  await publishRaw([{ subject: `${events}.${name}`, signer: testSigner(service), body }]);
  return body;
}

test("20 concurrent requests cause one call to orgs, and later requests none", async () => {
  gateway = await startGateway({ upstream, resolve: () => sleep(30, { caller: ada }) });
  expect(await Promise.all(Array.from({ length: 20 }, read))).toEqual(Array(20).fill(200));
  expect(await read()).toBe(200);
  expect(gateway.asked()).toBe(1);
});

test("an unknown token is remembered for a moment, a malformed one causes no call to orgs", async () => {
  gateway = await startGateway({ upstream, resolve: async () => null });
  for (let tries = 0; tries < 5; tries++) expect(await read()).toBe(401);
  expect(gateway.asked()).toBe(1);
  const forged = await send(gateway, "GET", "/v1/spaces/s", {
    headers: { authorization: `Bearer oct_${"x".repeat(36)}` },
  });
  expect([forged.status, gateway.asked()]).toEqual([401, 1]);
});

test("a token stops at its expiry, even when it is remembered", async () => {
  const end = Date.now() + 20_000;
  gateway = await startGateway({
    upstream,
    resolve: async () => (end > Date.now() ? { caller: ada, expiresAt: new Date(end).toISOString() } : null),
  });
  expect([await read(), await read(), gateway.asked()]).toEqual([200, 200, 1]);
  advance(20_000);
  expect(await read()).toBe(401);
});

test("an address that tries many unknown tokens has to wait, valid ones go on, also those not seen before", async () => {
  gateway = await startGateway({
    upstream,
    failuresPerMinute: 3,
    resolve: async (token) => (token.startsWith("test-token") ? { caller: ada } : null),
  });
  expect(await read()).toBe(200);
  const statuses: number[] = [];
  for (let tries = 0; tries < 5; tries++) {
    const headers = { authorization: `Bearer guess-number-${tries}-0123456789` };
    statuses.push((await send(gateway, "GET", "/v1/spaces/s", { headers })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  expect(await read()).toBe(200);
  const unseen = { authorization: "Bearer test-token-of-somebody-else" };
  expect((await send(gateway, "GET", "/v1/spaces/s", { headers: unseen })).status).toBe(200);
});

test("a mistyped token fails its checksum: orgs is not called, and the address is not delayed", async () => {
  gateway = await startGateway({ upstream, failuresPerMinute: 1 });
  for (let tries = 0; tries < 5; tries++) {
    const headers = { authorization: `Bearer oct_${String(tries).repeat(36)}` };
    expect((await send(gateway, "GET", "/v1/spaces/s", { headers })).status).toBe(401);
  }
  expect([gateway.asked(), await read()]).toEqual([0, 200]);
});

test("the number of tokens that orgs resolves at once is bounded; those of an address with many failures take turns", async () => {
  let running = 0;
  let most = 0;
  gateway = await startGateway({
    upstream,
    failuresPerMinute: 1,
    trustedHops: 1,
    resolve: async (token) => {
      most = Math.max(most, ++running);
      await sleep(5);
      running--;
      return token === TOKEN ? { caller: ada } : null;
    },
  });
  const guess = (name: string, address: string) =>
    send(gateway!, "GET", "/v1/spaces/s", {
      headers: { authorization: `Bearer guess-number-${name}`, "x-forwarded-for": address },
    });
  const guesses = (name: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, at) => guess(`${name}-${at}`, "192.0.2.1")));
  await guesses("first", 100);
  // Those that arrive after the first refusals take other turns, beside the 22 that are under way.
  expect(most).toBeLessThanOrEqual(22 + 3);
  most = 0;
  const [responses, other] = await Promise.all([guesses("second", 50), guess("elsewhere", "192.0.2.2")]);
  expect(most).toBeLessThanOrEqual(4);
  expect([...new Set(responses.map(({ status }) => status)), other.status]).toEqual([429, 401]);
});

test("20,000 failed tokens evict no valid one from memory", async () => {
  gateway = await startGateway({ upstream, failuresPerMinute: 1_000_000 });
  const { bearers } = gateway;
  await bearers.principal(TOKEN);
  for (let tries = 0; tries < 20_001; tries++) await bearers.principal(`guess-number-${tries}-0123456789`);
  expect(bearers.known(TOKEN)).toMatchObject({ caller: { id: "user1" } });
});

test("503 when orgs cannot be reached, and nothing of it is remembered", async () => {
  let away = true;
  gateway = await startGateway({
    upstream,
    resolve: async () => {
      if (away) throw Object.assign(new Error("fetch failed"), { name: "TRPCClientError" });
      return { caller: ada };
    },
  });
  expect(await read()).toBe(503);
  away = false;
  expect(await read()).toBe(200);
});

test.each([
  ["orgs.token.revoked", { token: "token1", user: "user1" }],
  ["orgs.member.removed", { organization: "acme", user: "user1" }],
  ["orgs.team.changed", { organization: "acme", team: "t" }],
  ["orgs.user.updated", { user: "user1" }],
])("%s is felt at once", async (name, payload) => {
  const state = await startWithBroker();
  expect(await read()).toBe(200);
  state.holder = null;
  expect(await read()).toBe(200);
  await publish(name, payload);
  // Long before it is asked for again by itself.
  expect(await until(async () => (await read()) === 401, 10_000)).toBe(true);
});

const script = {
  kind: "integration" as const,
  integration: "witness",
  installation: "i1",
  organization: "acme",
  scopes: ["space:content:read"],
  token: "t1",
};

test.each([
  ["integrations.installation.deleted", { integration: "witness", installation: "i1", organization: "acme" }],
  ["integrations.installation.placed", { installation: "i1", organization: "acme" }],
  ["integrations.integration.unpublished", { integration: "witness", organization: "owner" }],
  ["integrations.integration.published", { integration: "witness", organization: "owner" }],
])("%s is felt by an integration's token at once", async (name, payload) => {
  const state = await startWithBroker();
  state.holder = { caller: script };
  expect(await read()).toBe(200);
  state.holder = null;
  expect(await read()).toBe(200);
  await publish(name, payload);
  // Long before it is asked for again by itself.
  expect(await until(async () => (await read()) === 401, 10_000)).toBe(true);
});

test("a token of an integration is resolved for each space that a request names, and once for each", async () => {
  const spaces: unknown[] = [];
  gateway = await startGateway({
    upstream,
    resolve: async (_, place) => {
      spaces.push(place?.space);
      return { caller: { ...script, spaces: { all: false, but: [place?.space ?? ""] } } };
    },
  });
  const headers = { authorization: `Bearer ${newIntegrationBearer()}` };
  for (let round = 0; round < 2; round++)
    for (const path of ["/v1/spaces/a?x=1", "/v1/spaces/a", "/v1/spaces/b"])
      await send(gateway, "GET", path, { headers });
  expect(spaces).toEqual(["a", "b"]);
});

test("events about others leave a bearer in place", async () => {
  await startWithBroker();
  await read();
  await publish("orgs.token.revoked", { token: "other", user: "somebody" });
  await sleep(200);
  await read();
  expect(gateway!.asked()).toBe(1);
});

test("a bearer whose identity a response marks as changed is resolved again for the next request", async () => {
  let changed = "user1,other";
  gateway = await startGateway({
    upstream: (_req, res) => res.writeHead(200, { "x-octavo-identity-changed": changed }).end("{}"),
    resolve: async () => ({ caller: ada }),
  });
  const response = await send(gateway, "GET", "/v1/spaces/s");
  expect(response.headers["x-octavo-identity-changed"]).toBeUndefined();
  changed = "somebody";
  await read();
  expect(gateway.asked()).toBe(2);
  await read();
  expect(gateway.asked()).toBe(2);
});

test("what nobody signed, what belongs elsewhere and what is sent again have no token looked up", async () => {
  await startWithBroker();
  expect(await read()).toBe(200);
  const revoked = "orgs.token.revoked";
  const gone = { token: ada.token, user: ada.id };
  const first = await publish(revoked, gone);
  expect(await until(async () => (await read()) === 200 && gateway!.asked() === 2, 10_000)).toBe(true);
  const forged = () => envelopeOf(revoked, "x", gone);
  const orgs = testSigner("orgs");
  const sent = { subject: `${events}.${revoked}` };
  await publishRaw([
    { ...sent, body: "nonsense" },
    { ...sent, body: forged() },
    { ...sent, signer: testSigner("content"), body: forged() },
    { ...sent, signer: orgs, body: first },
    { subject: `${events}.integrations.token.revoked`, signer: orgs, body: forged() },
  ]);
  // It is isConnected after the others.
  await publish(revoked, { token: "other", user: "somebody" });
  await sleep(300);
  await read();
  expect(gateway!.asked()).toBe(2);
  await publish(revoked, gone);
  expect(await until(async () => (await read()) === 200 && gateway!.asked() === 3, 10_000)).toBe(true);
});

test("what was remembered before the broker was away is not trusted once it is back", async () => {
  const relay = await startRelay(process.env.NATS_URL!);
  const state = await startWithBroker(relay.url);
  expect(await read()).toBe(200);
  relay.cut();
  await until(() => !changes!.isConnected(), 5_000);
  state.holder = null;
  await relay.mend();
  await until(() => changes!.isConnected(), 10_000);
  expect([changes!.isConnected(), await read()]).toEqual([true, 401]);
  await relay.stop();
});

test("without the broker nothing is trusted for longer than 2 s", async () => {
  const state: { holder: ResolvedToken | null } = { holder: { caller: ada } };
  gateway = await startGateway({ upstream, resolve: async () => state.holder, isConnected: () => false });
  expect(await read()).toBe(200);
  state.holder = null;
  advance(2_000);
  expect(await read()).toBe(401);
});

test.each([
  ["a change of its holder", (bearers: Bearers) => bearers.drop(new Set(["user1"]))],
  ["a reset of everything", (bearers: Bearers) => bearers.dropAll()],
])("a response of orgs that %s overtook is used once and not kept", async (_, change) => {
  let release = () => {};
  let lookups = 0;
  gateway = await startGateway({
    upstream,
    resolve: async () => {
      lookups++;
      if (lookups === 1) await new Promise<void>((done) => (release = done));
      return lookups === 1 ? { caller: ada } : null;
    },
  });
  const first = read();
  await until(() => lookups === 1, 1_000);
  change(gateway.bearers);
  release();
  expect(await first).toBe(200);
  expect(await read()).toBe(401);
});
