import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { testSchema, waitFor } from "@octavo/shared/testing/schema";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { person, sender, signingKey, trustedKeys } from "./testing/identities.js";
import { publication } from "./testing/integrations.js";
import { freePort, listen, shut } from "./testing/listening.js";
import { startOrgs } from "./testing/orgs.js";
import { scriptProcesses } from "./testing/script-processes.js";
import { startTunnel } from "./testing/tunnel.js";

let schema: Awaited<ReturnType<typeof testSchema>>;
let orgs: Awaited<ReturnType<typeof startOrgs>>;
let tunnel: Awaited<ReturnType<typeof startTunnel>>;
let child: ChildProcess | undefined;
beforeAll(async () => {
  [schema, orgs, tunnel] = await Promise.all([
    testSchema({ service: "integrations" }),
    startOrgs(),
    startTunnel(),
  ]);
});
afterAll(async () => {
  await Promise.all([schema.drop(), orgs.end(), tunnel.end()]);
});

/** The whole service as a process of its own, ready for requests. */
async function start(port: number, environment: Record<string, string> = {}): Promise<void> {
  child = spawn(process.execPath, ["--conditions=source", "--import", "tsx", "src/main.ts"], {
    cwd: new URL("..", import.meta.url),
    stdio: ["ignore", process.env.TEST_LOG ? "inherit" : "ignore", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_SCHEMA: schema.schema,
      OCTAVO_BASE_URL: `http://127.0.0.1:${port}`,
      OCTAVO_ORGS_URL: orgs.url,
      OCTAVO_CONTENT_URL: "http://127.0.0.1:1",
      OCTAVO_SITES_SERVICE_URL: "http://127.0.0.1:1",
      OCTAVO_EGRESS_ALLOW: "127.0.0.0/8",
      OCTAVO_TRUSTED_KEYS: JSON.stringify(trustedKeys),
      OCTAVO_SIGNING_KEY: JSON.stringify(signingKey),
      OCTAVO_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      ...environment,
    },
  });
  await waitFor(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
}

async function kill(): Promise<void> {
  const ended = once(child!, "exit");
  child!.kill("SIGKILL");
  await ended;
  child = undefined;
}

/** Two services of one schema would share the events: the next test begins without one. */
afterEach(async () => {
  if (child) await kill();
});

test("kill -9 during a delivery: after the restart it arrives again, under its id, and is recorded once", async () => {
  const port = await freePort();
  await start(port);
  const organization = orgs.add();
  const { identity } = await person({ [organization]: "create" });
  const send = sender(`http://127.0.0.1:${port}`, identity);
  const input = publication({ organization });
  const path = `/integrations/${input.integrationName}`;
  expect((await send("POST", path, input)).status).toBe(200);
  expect((await send("PUT", `${path}/dev`, { tunnelUrl: tunnel.url })).status).toBe(204);

  tunnel.response.waitMs = 60_000;
  expect((await send("POST", `${path}/installations`, { organization })).status).toBe(201);
  await waitFor(() => tunnel.deliveries.length === 1);
  await kill();
  tunnel.response.waitMs = 0;
  expect(tunnel.deliveries).toHaveLength(1);

  await start(port);
  await waitFor(async () => (await send("GET", `${path}/events`)).body.count === 1);
  const { body } = await send("GET", `${path}/events`);
  const ids = tunnel.deliveries.map(({ event }) => event.eventId);
  expect(ids.length).toBeGreaterThanOrEqual(2);
  expect(new Set(ids)).toEqual(new Set([body.items[0].id]));
  expect(body.items).toMatchObject([
    { status: "success", payload: { type: "installation_setup", status: "active" } },
  ]);
});

test("without the program that runs scripts the service is ready, and says so there and in the trace of an event", async () => {
  const port = await freePort();
  await start(port, { OCTAVO_WORKERD: "/no/such/workerd" });
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([
    200,
    expect.stringContaining("runtime: there is no /no/such/workerd"),
  ]);
  const organization = orgs.add();
  const { identity } = await person({ [organization]: "create" });
  const send = sender(`http://127.0.0.1:${port}`, identity);
  const input = publication({ organization });
  const path = `/integrations/${input.integrationName}`;
  expect((await send("POST", path, input)).status).toBe(200);
  expect((await send("POST", `${path}/installations`, { organization })).status).toBe(201);
  const event = await waitFor(async () => (await send("GET", `${path}/events`)).body.items[0]);
  expect(event.status).toBe("failed");
  const { body } = await send("GET", `${path}/events/${event.id}`);
  expect(body.trace.logs.at(-1).message).toMatch(/no runtime to run the script in: there is no \/no\/such/);
});

/** Sends the receiver every event, in the order of arrival, and takes its time. */
const TELLING = (url: string) => `export default {
  async fetch(request) {
    const { eventId } = JSON.parse((await request.formData()).get("event"));
    await fetch("${url}/" + eventId, { method: "POST" });
    return new Response("OK");
  },
};`;

test.runIf(process.platform === "linux")(
  "kill -9 of the runtime, then of the service: a script receives every event, and none before an earlier one",
  async () => {
    const received: string[] = [];
    const receiver = createServer((req, res) => {
      received.push(req.url!.slice(1));
      setTimeout(() => res.end(), 150).unref();
    });
    const url = await listen(receiver);
    const port = await freePort();
    await start(port);
    const organization = orgs.add();
    const { identity } = await person({ [organization]: "create" });
    const send = sender(`http://127.0.0.1:${port}`, identity);
    const input = publication({ organization, script: TELLING(url) });
    const path = `/integrations/${input.integrationName}`;
    expect((await send("POST", path, input)).status).toBe(200);
    const { body: installation } = await send("POST", `${path}/installations`, { organization });
    const one = `${path}/installations/${installation.id}`;
    const EVENTS = 12;
    for (let at = 1; at < EVENTS; at++)
      expect((await send("PATCH", one, { configuration: { at } })).status).toBe(200);

    await waitFor(() => received.length >= 2);
    const running = await waitFor(() => scriptProcesses(child!.pid!)[0]);
    process.kill(running.pid, "SIGKILL");
    const atKill = received.length;
    await waitFor(() => received.length >= atKill + 2);
    await kill();
    await start(port);
    await waitFor(async () => (await send("GET", `${path}/events`)).body.count === EVENTS);
    const { body } = await send("GET", `${path}/events?limit=100`);
    const happened = body.items.map(({ id }: { id: string }) => id).sort();
    const failed = body.items.filter(({ status }: { status: string }) => status !== "success");
    const traceOf = async ({ id }: { id: string }) => (await send("GET", `${path}/events/${id}`)).body.trace;
    expect(await Promise.all(failed.map(traceOf))).toEqual([]);
    expect([...new Set(received)]).toEqual(happened);
    // The one that was under way arrives again, and nothing goes back behind it.
    expect(received).toEqual([...received].sort());
    await shut(receiver);
  },
  180_000,
);
