import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startNats } from "@octavo/launcher/nats";
import { freePort } from "@octavo/launcher/ports";
import { type GitServer, serveRepository } from "@octavo/shared/testing/git-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient, eventually } from "../harness/client.js";
import { type Database, openDatabase } from "../harness/database.js";
import { addPage } from "../harness/editing.js";
import { install, publishIntegration } from "../harness/integration.js";
import { expectSameAudience, expectSettled } from "../harness/ledger.js";
import { register } from "../harness/people.js";
import { type Stack, startStack } from "../harness/stack.js";
import { openTunnel, type Tunnel } from "../harness/tunnel.js";

const handbook = resolve(import.meta.dirname, "../fixtures/handbook");

let stack: Stack;
let tunnel: Tunnel;
let repository: GitServer;
let database: Database;
let call: Client;
let broker: Awaited<ReturnType<typeof startNats>>;
let home: string;
let port: number;
let organization: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "octavo-nats-"));
  port = await freePort();
  await startBroker();
  [stack, tunnel, repository] = await Promise.all([
    startStack({ NATS_URL: broker.url }),
    openTunnel(),
    serveRepository(handbook),
  ]);
  database = openDatabase(stack);
  call = createClient(stack);
  organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
});
afterAll(async () => {
  await database?.close();
  await Promise.allSettled([stack?.stop(), tunnel?.close(), repository?.close()]);
  await broker?.stop();
  await rm(home, { recursive: true, force: true });
});

async function startBroker() {
  broker = await startNats({ dataDir: join(home, "data"), port, logFile: join(home, "nats.log") });
}

/** Ends the broker as a crash would; what it had on disk stays unless it is wiped. */
async function loseBroker({ wiped = false } = {}) {
  process.kill(broker.pid, "SIGKILL");
  await broker.ended;
  if (wiped) await rm(join(home, "data", "jetstream"), { recursive: true });
}

const createSpace = async (title: string) =>
  (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title })).body.id;

async function publishSite(space: string) {
  const site = await call<{ id: string }>("POST", `/orgs/${organization}/sites`, {
    title: "Docs",
    spaces: [space],
  });
  expect(site.status).toBe(201);
  const path = `/orgs/${organization}/sites/${site.body.id}`;
  expect((await call("POST", `${path}/publish`)).body).toMatchObject({ published: true });
  expect((await call("GET", `${path}/published`)).status).toBe(200);
  return path;
}

const visibilityOf = async (space: string) => (await call("GET", `/spaces/${space}`)).body.visibility;
const eventsOf = (space: string) => tunnel.received.filter(({ event }) => event.spaceId === space);

test("a whole journey without NATS: the API works everywhere, and the events arrive when it is back", async () => {
  const bea = await register(stack, "Bea");
  await database.query("insert into orgs.member (organization, person, role) values ($1, $2, 'edit')", [
    organization,
    bea.id,
  ]);
  expect((await call.as(bea.token)("GET", `/orgs/${organization}/spaces`)).status).toBe(200);
  await loseBroker();

  const space = await createSpace("Without");
  await call("POST", `/spaces/${space}/git/import`, { url: repository.url, ref: "refs/heads/main" });
  await eventually(async () => {
    const { body } = await call<{ operation: { state: string } }>("GET", `/spaces/${space}/git/info`);
    return body.operation.state === "success";
  });
  await addPage(call, space, "Written without a doorbell");
  const found = await call("GET", `/spaces/${space}/search?query=doorbell`);
  expect(found.body).toMatchObject({ count: 1 });

  // Events for integrations go through a queue of their own.
  await publishIntegration(call, { name: "witness", organization, tunnelUrl: tunnel.url });
  await install(call, "witness", organization);
  await eventually(async () => tunnel.received.some(({ event }) => event.type === "installation_setup"));
  const revision = await addPage(call, space, "Written after the installation");

  const branch = await call<{ id: string }>("POST", "/orgs", { title: "Branch" });
  const [shown, leaving] = [await createSpace("Shown"), await createSpace("Leaving")];
  const [shownOn, leftOn] = [await publishSite(shown), await publishSite(leaving)];
  const moved = await call("POST", `/spaces/${leaving}/transfer`, { organization: branch.body.id });
  expect(moved).toMatchObject({ status: 200, body: { organization: branch.body.id } });

  // Without the broadcast an identity is trusted for a short time only.
  const token = await call<{ id: string; token: string }>("POST", "/user/tokens", { label: "Short" });
  const short = call.as(token.body.token);
  expect((await short("GET", "/user")).status).toBe(200);
  expect((await call("DELETE", `/user/tokens/${token.body.id}`)).status).toBe(204);
  await eventually(async () => (await short("GET", "/user")).status === 401);
  expect((await call("DELETE", `/orgs/${organization}/members/${bea.id}`)).status).toBe(204);
  const asBea = () => call.as(bea.token)("GET", `/orgs/${organization}/spaces`);
  await eventually(async () => (await asBea()).status === 404);

  // Who has to start meanwhile does so.
  await Promise.all(["services/content", "services/sites", "gateway/dist"].map(stack.kill));
  await stack.ready();

  // Nothing has crossed a border so far, and every count shows that.
  expect((await fetch(`${stack.base}/readyz`)).status).toBe(200);
  expect(await visibilityOf(shown)).toBe("private");
  expect((await call("GET", leftOn)).body).toMatchObject({ published: true, siteSpaces: 1 });
  expect(eventsOf(space)).toEqual([]);

  await startBroker();
  await eventually(async () => (await visibilityOf(shown)) === "public");
  await eventually(async () => (await call("GET", leftOn)).body.published === false);
  expect((await call("GET", shownOn)).body).toMatchObject({ published: true, siteSpaces: 1 });
  await eventually(async () => eventsOf(space).some(({ event }) => event.revisionId === revision));
  await expectSettled(database);
  await expectSameAudience(database);
  expect(await visibilityOf(leaving)).toBe("private");
});

test("NATS comes back without its data: what was lost with it is sent again, and nothing is handled twice", async () => {
  const receivedBefore = tunnel.received.length;
  const before = await createSpace("Before the loss");
  const site = await publishSite(before);
  await eventually(async () => (await visibilityOf(before)) === "public");
  await loseBroker({ wiped: true });
  const after = await createSpace("After the loss");
  await publishSite(after);
  expect((await call("POST", `${site}/unpublish`)).body).toMatchObject({ published: false });
  const revision = await addPage(call, after, "Written meanwhile");
  await startBroker();
  await eventually(async () => (await visibilityOf(after)) === "public");
  await eventually(async () => (await visibilityOf(before)) === "private");
  await eventually(async () => eventsOf(after).some(({ event }) => event.revisionId === revision));
  await expectSettled(database);
  await expectSameAudience(database);
  const ids = tunnel.received.slice(receivedBefore).map(({ event }) => event.eventId);
  expect(ids).toHaveLength(new Set(ids).size);
  expect(tunnel.answered).toHaveLength(new Set(tunnel.answered).size);
});
