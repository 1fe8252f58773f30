import { createHmac } from "node:crypto";
import { bearerHash } from "@octavo/shared/bearer";
import { transact } from "@octavo/shared/database/transact";
import { waitFor } from "@octavo/shared/testing/schema";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { recordTask } from "../event-queue/record.js";
import { noRuntime } from "../runtime/runtime.js";
import { publication, startIntegrations } from "../testing/integrations.js";
import { signatureOf, startTunnel, timedSignatureOf } from "../testing/tunnel.js";
import { deliver, giveUp } from "./deliver.js";
import { prune } from "./prune.js";

let home: Awaited<ReturnType<typeof startIntegrations>>;
let tunnel: Awaited<ReturnType<typeof startTunnel>>;
let acme: string;
let rival: string;
beforeAll(async () => {
  home = await startIntegrations();
  acme = home.orgs.add();
  rival = home.orgs.add();
});
afterAll(() => home.end());
beforeEach(async () => {
  tunnel = await startTunnel();
});
afterEach(() => tunnel.end());

interface Setup {
  script?: string;
  organization?: string;
  dev?: { all?: boolean; tunnelUrl?: string } | false;
}

/** An integration of acme that somebody installed, whose event waits to be delivered. */
async function installed({ organization = acme, dev = {}, script }: Setup = {}) {
  const { call } = await home.as({ [acme]: "create", [organization]: "create" });
  const input = publication({
    organization: acme,
    visibility: "public",
    secrets: { KEY: "hunter2" },
    ...(script && { script }),
  });
  const { integrationName } = input;
  await call.integrations.publish(input);
  if (dev) await call.devMode.enable({ integrationName, tunnelUrl: tunnel.url, ...dev });
  const { id } = await call.installations.install({ integrationName, organization });
  const row = await home.db
    .selectFrom("event")
    .select("id")
    .where("installation", "=", id)
    .executeTakeFirstOrThrow();
  return { call, integrationName, id, eventId: row.id };
}

/** The event as the publisher's administrators see it, once it is delivered. */
async function delivered({ call, integrationName, eventId }: Awaited<ReturnType<typeof installed>>) {
  await deliver(home.ownContext(), eventId);
  const { event, trace } = await call.events.get({ integrationName, eventId });
  return { ...event, messages: trace!.logs.map(({ level, message }) => `${level}: ${message}`) };
}

test("an event goes to the tunnel as a signed form with the event and the environment", async () => {
  const setup = await installed();
  const { integrationName, id, eventId } = setup;
  const event = await delivered(setup);
  const [delivery, ...more] = tunnel.deliveries;
  expect(more).toEqual([]);
  expect(delivery).toMatchObject({ method: "POST", fields: ["event", "environment"] });
  expect(delivery!.contentType).toMatch(/^multipart\/form-data; boundary=/);
  expect(delivery!.signature).toBe(signatureOf(delivery!));
  expect(delivery!.timed).toBe(timedSignatureOf(delivery!));
  expect(delivery!.event).toEqual({
    eventId,
    installationId: id,
    type: "installation_setup",
    status: "active",
  });
  const { apiTokens, signingSecrets } = delivery!.environment;
  expect(delivery!.environment).toMatchObject({
    apiEndpoint: "http://octavo.test",
    authToken: apiTokens.installation,
    apiTokens: { integration: expect.stringMatching(/^oci_/), installation: expect.stringMatching(/^oci_/) },
    integration: {
      name: integrationName,
      version: 1,
      owner: { id: acme },
      urls: { publicEndpoint: expect.any(String), publicContentEndpoint: expect.any(String) },
    },
    installation: { id, configuration: {}, target: { organization: acme } },
    secrets: { KEY: "hunter2" },
    signingSecret: signingSecrets.installation,
    signingSecrets: {
      integration: expect.stringMatching(/^.{43}$/),
      installation: expect.stringMatching(/^.{43}$/),
    },
  });
  expect(event).toMatchObject({
    id: eventId,
    integrationId: integrationName,
    installationId: id,
    status: "success",
  });
  expect(event.payload).toEqual(delivery!.event);
  expect(event.messages.at(-1)).toBe("info: The integration returned 200");
});

test("the tokens of an environment stand for the integration and the installation until these are gone", async () => {
  const setup = await installed({ organization: rival, dev: { all: true } });
  await delivered(setup);
  const { apiTokens } = tunnel.deliveries[0]!.environment;
  const resolve = (token: string) => home.gateway.tokens.resolve({ token });
  const { integrationName: integration, id: installation } = setup;
  const expiresAt = expect.any(String);
  const own = ["integration:read", "integration:installation:read", "integration:installation:update"];
  const caller = { kind: "integration", integration, token: expect.any(String) };
  expect(await resolve(apiTokens.integration)).toEqual({
    caller: { ...caller, organization: acme, scopes: [...own, "integration:update"] },
    expiresAt,
  });
  const reached = async () => (await resolve(apiTokens.installation))?.caller.spaces;
  expect(await resolve(apiTokens.installation)).toEqual({
    caller: { ...caller, installation, organization: rival, scopes: [...own, "space:content:read"] },
    expiresAt,
  });
  const one = { integrationName: integration, installationId: installation };
  await setup.call.installations.update({ ...one, space_selection: "selected" });
  expect(await reached()).toEqual({ all: false, but: [] });
  await setup.call.installations.update({ ...one, space_selection: "all" });
  expect(await reached()).toBeUndefined();
  await expect(setup.call.tokens.resolve({ token: apiTokens.integration })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  const stored = JSON.stringify(await home.db.selectFrom("token").selectAll().execute());
  expect(stored).not.toContain(apiTokens.installation);
  await setup.call.installations.uninstall({ integrationName: integration, installationId: installation });
  expect(await resolve(apiTokens.installation)).toBeNull();
  expect(await resolve(apiTokens.integration)).toMatchObject({ caller: { integration } });
  await setup.call.integrations.unpublish({ integrationName: integration });
  expect(await resolve(apiTokens.integration)).toBeNull();
  expect(await resolve("oct_unknown")).toBeNull();
});

test("406 means not subscribed and is no failure, any other status but 2xx is one", async () => {
  const outcome = async (status: number, body = "") => {
    Object.assign(tunnel.response, { status, body });
    const { status: recorded, messages } = await delivered(await installed());
    return [recorded, messages.at(-1)];
  };
  expect(await outcome(204)).toEqual(["success", "info: The integration returned 204"]);
  expect(await outcome(406, '{"error":"no"}')).toEqual([
    "success",
    "info: The integration does not listen to this event (406)",
  ]);
  const broken = '{"error":"Internal server error"}';
  expect(await outcome(500, broken)).toEqual(["failed", `error: The integration returned 500: ${broken}`]);
  expect(await outcome(302)).toEqual(["failed", "error: The integration returned 302"]);
  expect(tunnel.deliveries).toHaveLength(4);
});

test("a dead tunnel, or one that may not be reached, is a failure with a reason, and a later PUT heals it", async () => {
  const dead = await startTunnel();
  await dead.end();
  const failed = await delivered(await installed({ dev: { tunnelUrl: dead.url } }));
  expect(failed).toMatchObject({ status: "failed" });
  expect(failed.messages.at(-1)).toMatch(/^error: The tunnel could not be reached: .*ECONNREFUSED/);
  const closed = await delivered(await installed({ dev: { tunnelUrl: "http://169.254.169.254/latest" } }));
  expect(closed.messages.at(-1)).toMatch(/not allowed/);
  const late = await installed({ dev: { tunnelUrl: dead.url } });
  await late.call.devMode.enable({ integrationName: late.integrationName, tunnelUrl: tunnel.url });
  expect(await delivered(late)).toMatchObject({ status: "success" });
});

test("without development mode the script receives the event, and its logs are in the trace", async () => {
  const script = `export default { async fetch(request) {
    const form = await request.formData();
    const [event, environment] = ["event", "environment"].map((name) => JSON.parse(form.get(name)));
    console.warn(event.type, environment.installation.id, environment.secrets.KEY);
    return new Response("OK");
  } };`;
  const setup = await installed({ dev: false, script });
  const delivery = await delivered(setup);
  expect(delivery).toMatchObject({ status: "success" });
  expect(delivery.messages).toEqual([
    "info: Sending installation_setup to the script",
    `warn: installation_setup ${setup.id} hunter2`,
    "info: The integration returned 200",
  ]);
  const throwing = await delivered(
    await installed({ dev: false, script: 'export default { fetch() { throw new Error("boom"); } };' }),
  );
  expect(throwing).toMatchObject({ status: "failed" });
  expect(throwing.messages).toEqual([
    "info: Sending installation_setup to the script",
    "error: Error: boom",
    "error: The script failed: boom",
  ]);
});

test("what a script logs after its response is added to the trace when it has ended", async () => {
  const script = `export default { async fetch(request, env, ctx) {
    ctx.waitUntil((async () => {
      await new Promise((done) => setTimeout(done, 1000));
      console.log("later");
    })());
    return new Response("OK");
  } };`;
  const setup = await installed({ dev: false, script });
  const delivery = await delivered(setup);
  expect(delivery).toMatchObject({ status: "success" });
  const { integrationName, eventId } = setup;
  await waitFor(async () => {
    const { trace } = await setup.call.events.get({ integrationName, eventId });
    return trace!.logs.at(-1)?.message === "later";
  });
});

test("a service without a runtime records so in the trace", async () => {
  const setup = await installed({ dev: false });
  const none = { ...home.ownContext(), runtime: noRuntime("workerd is not installed") };
  await deliver(none, setup.eventId);
  const { integrationName, eventId } = setup;
  const { event, trace } = await setup.call.events.get({ integrationName, eventId });
  expect(event.status).toBe("failed");
  expect(trace!.logs.at(-1)!.message).toMatch(/no runtime to run the script in: workerd is not installed/);
});

test("while the platform is in trouble, a later event does not overtake an earlier one", async () => {
  const setup = await installed();
  const { call, integrationName, id, eventId } = setup;
  await call.installations.update({ integrationName, installationId: id, configuration: { a: 1 } });
  const rows = home.db.selectFrom("event").select("id").where("installation", "=", id).orderBy("id");
  const [, second] = await rows.execute();
  const away = () => Promise.reject(new Error("away"));
  const lost = { ...home.ownContext(), orgs: { organizations: away, membership: away } };
  await expect(deliver(lost, eventId)).rejects.toThrow("away");
  await deliver(home.ownContext(), second!.id);
  expect(tunnel.deliveries.map(({ event }) => event.eventId)).toEqual([eventId, second!.id]);
});

test("a task is sent as an event; a script that does not support them gets a signed request instead", async () => {
  const { integrationName } = await installed();
  const row = await home.db
    .selectFrom("integration")
    .select(["id", "organization"])
    .where("name", "=", integrationName)
    .executeTakeFirstOrThrow();
  await transact(home.ownContext(), (ctx) => recordTask(ctx, row, { type: "sync" }, new Date()));
  const task = await home.db
    .selectFrom("event")
    .select("id")
    .where("integration", "=", row.id)
    .where("installation", "is", null)
    .executeTakeFirstOrThrow();
  tunnel.response.status = 406;
  await deliver(home.ownContext(), task.id);
  const [first, second] = tunnel.deliveries;
  expect(first!.event).toEqual({ eventId: task.id, type: "task", task: { type: "sync" } });
  expect(first!.environment.installation).toBeUndefined();
  const body = '{"task":{"type":"sync"}}';
  const secret = second!.environment.signingSecrets.integration;
  expect(second!.fields).toEqual(["event", "fetch-body", "environment"]);
  expect(second!.event).toMatchObject({
    type: "fetch",
    request: {
      method: "post",
      url: `http://octavo.test/v1/integrations/${integrationName}/public/tasks`,
      headers: { "x-gitbook-integration-signature": createHmac("sha256", secret).update(body).digest("hex") },
    },
  });
});

test("events of other organizations' installations go to the tunnel only with all: true", async () => {
  const own = await delivered(await installed({ organization: rival }));
  expect(own.messages[0]).toBe("info: Sending installation_setup to the script");
  expect(tunnel.deliveries).toEqual([]);
  expect(await delivered(await installed({ organization: rival, dev: { all: true } }))).toMatchObject({
    status: "success",
  });
  expect(tunnel.deliveries[0]!.environment.installation.target).toEqual({ organization: rival });
});

test("an event is recorded once, however often its job runs", async () => {
  const setup = await installed();
  await Promise.all([deliver(home.ownContext(), setup.eventId), deliver(home.ownContext(), setup.eventId)]);
  await deliver(home.ownContext(), setup.eventId);
  expect(new Set(tunnel.deliveries.map(({ event }) => event.eventId))).toEqual(new Set([setup.eventId]));
  expect(tunnel.deliveries.length).toBeLessThanOrEqual(2);
  const { items } = await setup.call.events.list({ integrationName: setup.integrationName });
  expect(items).toMatchObject([{ id: setup.eventId, status: "success" }]);
});

test("an event that was given up meanwhile is not settled again by its delivery", async () => {
  const setup = await installed();
  tunnel.response.waitMs = 1_500;
  const delivering = deliver(home.ownContext(), setup.eventId);
  await waitFor(() => tunnel.deliveries.length === 1);
  await giveUp(home.ownContext(), setup.eventId);
  const settled = () =>
    home.db.selectFrom("event").selectAll().where("id", "=", setup.eventId).executeTakeFirstOrThrow();
  const before = await settled();
  await delivering;
  expect(await settled()).toEqual(before);
  expect(before).toMatchObject({ status: "failed", delivered_at: expect.any(String) });
});

test("a removed integration receives the end of its installation, then all of it is gone", async () => {
  const { call, integrationName, id, eventId } = await installed();
  await call.installations.update({ integrationName, installationId: id, configuration: { key: "kept" } });
  await deliver(home.ownContext(), eventId);
  await call.integrations.unpublish({ integrationName });
  const waiting = await home.db
    .selectFrom("event")
    .select("id")
    .where("installation", "=", id)
    .where("status", "is", null)
    .execute();
  for (const { id } of waiting) await deliver(home.ownContext(), id);
  expect(tunnel.deliveries.at(-1)).toMatchObject({
    event: { type: "installation_deleted", installationId: id, previous: { configuration: { key: "kept" } } },
    environment: {
      integration: { name: integrationName },
      installation: { id },
      secrets: { KEY: "hunter2" },
    },
  });
  for (const table of ["integration", "installation", "event", "token", "script"] as const) {
    const rows = await home.db.selectFrom(table).selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(id);
  }
  expect(
    await home.db.selectFrom("integration").select("id").where("name", "=", integrationName).execute(),
  ).toEqual([]);
});

test("a removed integration is gone also when its last two events are delivered at once", async () => {
  for (let round = 0; round < 5; round++) {
    const { call, integrationName } = await installed();
    const other = await home.as({ [rival]: "create" });
    await other.call.installations.install({ integrationName, organization: rival });
    await call.integrations.unpublish({ integrationName });
    const waiting = await home.db
      .selectFrom("event")
      .innerJoin("integration", "integration.id", "event.integration")
      .select("event.id")
      .where("integration.name", "=", integrationName)
      .where("status", "is", null)
      .execute();
    expect(waiting).toHaveLength(4);
    // What fails because the other removed the installation meanwhile is tried again, as the queue does it.
    const once = (id: string) => deliver(home.ownContext(), id);
    await Promise.all(waiting.map(({ id }) => once(id).catch(() => once(id))));
    const left = home.db.selectFrom("integration").select("id").where("name", "=", integrationName);
    expect(await left.execute()).toEqual([]);
  }
});

test("events are kept for 30 days after their delivery, tokens until they expire", async () => {
  const [old, recent, waiting] = [await installed(), await installed(), await installed()];
  for (const { eventId } of [old, recent]) await deliver(home.ownContext(), eventId);
  const { apiTokens } = tunnel.deliveries[0]!.environment;
  const aged = sql<string>`now() - interval '31 days'`;
  await home.db.updateTable("event").set({ delivered_at: aged }).where("id", "=", old.eventId).execute();
  await home.db.updateTable("event").set({ created_at: aged }).where("id", "=", waiting.eventId).execute();
  await home.db
    .updateTable("token")
    .set({ expires_at: aged })
    .where("hash", "=", bearerHash(apiTokens.integration))
    .execute();
  expect(await home.gateway.tokens.resolve({ token: apiTokens.integration })).toBeNull();
  const count = async () => (await home.db.selectFrom("token").select("hash").execute()).length;
  const before = await count();
  await prune(home.ownContext());
  expect(await count()).toBe(before - 1);
  const kept = await home.db
    .selectFrom("event")
    .select("id")
    .where("id", "in", [old.eventId, recent.eventId, waiting.eventId])
    .execute();
  expect(kept.map(({ id }) => id).sort()).toEqual([recent.eventId, waiting.eventId].sort());

  const left = await count();
  await sql`insert into token (hash, integration, expires_at)
    select sha256(n::text::bytea), (select integration from token limit 1), now() - interval '1 hour'
    from generate_series(1, 2000) as n`.execute(home.db);
  await prune(home.ownContext());
  expect(await count()).toBe(left);
});

test("events are kept for as many days as the operator sets", async () => {
  const setup = await installed();
  await deliver(home.ownContext(), setup.eventId);
  const aged = sql<string>`now() - interval '3 days'`;
  await home.db.updateTable("event").set({ delivered_at: aged }).where("id", "=", setup.eventId).execute();
  const event = home.db.selectFrom("event").select("id").where("id", "=", setup.eventId);
  await prune({ ...home.ownContext(), eventDays: 4 });
  expect(await event.executeTakeFirst()).toBeDefined();
  await prune({ ...home.ownContext(), eventDays: 2 });
  expect(await event.executeTakeFirst()).toBeUndefined();
});

test("while orgs cannot be reached, the event waits, and after the last try it is recorded as failed", async () => {
  const setup = await installed();
  const away = () => Promise.reject(new Error("away"));
  const lost = { ...home.ownContext(), orgs: { organizations: away, membership: away } };
  await expect(deliver(lost, setup.eventId)).rejects.toThrow("away");
  const given = await installed();
  await giveUp(home.ownContext(), given.eventId);
  expect(await delivered(given)).toMatchObject({
    status: "failed",
    messages: [expect.stringMatching(/not available/)],
  });
  expect(await delivered(setup)).toMatchObject({ status: "success" });
});
