import { createServer, type ServerResponse } from "node:http";
import { waitFor } from "@octavo/shared/testing/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordAll } from "../event-queue/record.js";
import { publication, startIntegrations } from "../testing/integrations.js";
import { listen, shut } from "../testing/listening.js";
import { moduleOf } from "../testing/scripts.js";
import { deliverWaiting } from "./deliver-waiting.js";

/** Stands for the interface, and for what lies outside: it counts, and lets requests to `/v1/slow` wait. */
let asked: string[] = [];
const slow: ServerResponse[] = [];
const world = createServer((req, res) => {
  asked.push(req.url!);
  if (req.url === "/v1/slow") slow.push(res);
  else if (req.url === "/round") res.writeHead(302, { location: "/round" }).end();
  else res.end("here");
});
let outside: string;
let home: Awaited<ReturnType<typeof startIntegrations>>;
beforeAll(async () => {
  outside = await listen(world);
  home = await startIntegrations({ timeoutMs: TIMEOUT_S * 1000, gatewayUrl: outside });
});
afterAll(async () => {
  await home.end();
  await shut(world);
});

/** Long enough for what ends by itself, on a machine that is busy as well. */
const TIMEOUT_S = 8;
const TOO_SLOW = new RegExp(`^error: The script did not respond within ${TIMEOUT_S} s$`);

const HONEST = moduleOf('console.log("saw", event.revisionId ?? event.type); return new Response("OK");');

interface Ending {
  script: string;
  status: "success" | "failed";
  /** Entries that the trace has, each of them somewhere. */
  says: RegExp[];
}

/** What a script may do to everybody else, by how its event has to end. */
type Hostile = Record<string, () => Ending>;

/** Scripts under which the process of their organization ends, with the logs of all that ran in it. */
const DEADLY: Hostile = {
  "lets nothing else run": () => ({
    script: moduleOf("for (;;);"),
    status: "failed",
    says: [/^error: .*(let nothing else run|did not respond)/],
  }),
  "allocates without end": () => ({
    script: moduleOf(`const all = [];
      for (;;) { all.push(new Uint8Array(8 * 1024 * 1024).fill(1)); if (all.length % 4 === 0) await null; }`),
    status: "failed",
    // Where the machine is slow, its time is over before the memory is.
    says: [
      /^error: (The script failed|The process ended|.*(without memory|let nothing else run|did not respond))/,
    ],
  }),
};

/** A script that uses up the requests that the scripts of its organization may make at a time. */
const GREEDY: Hostile = {
  "forks requests to the interface": () => ({
    script: moduleOf(`const refused = [];
      for (let at = 0; at < 100; at++)
        void fetch(environment.apiEndpoint + "/v1/slow").catch((error) => refused.push(error.message));
      while (refused.length === 0) await scheduler.wait(20);
      console.log(refused[0]);
      return new Response("OK");`),
    status: "success",
    says: [/^info: .*more than 64 requests at a time/],
  }),
};

const HOSTILE: Hostile = {
  "throws an error": () => ({
    script: moduleOf('throw new TypeError("boom");'),
    status: "failed",
    says: [/^error: TypeError: boom$/, /^error: The script failed: boom$/],
  }),
  "throws as it is loaded": () => ({
    script: 'throw new Error("at once");',
    status: "failed",
    says: [/^error: The script failed: .*at once/s],
  }),
  "throws what is no error": () => ({
    script: moduleOf("throw null;"),
    status: "failed",
    says: [/^error: The script failed/],
  }),
  "imports what is not there": () => ({
    script: `import "node:child_process"; ${HONEST}`,
    status: "failed",
    says: [/^error: The script failed: .*No such module/s],
  }),
  "never responds": () => ({
    script: moduleOf("await new Promise((resolve) => setTimeout(resolve, 600_000));"),
    status: "failed",
    says: [TOO_SLOW],
  }),
  "begins a response that never ends": () => ({
    script:
      moduleOf(`const more = async (to) => { await scheduler.wait(50); to.enqueue(new TextEncoder().encode("more")); };
      return new Response(new ReadableStream({ pull: more }));`),
    status: "failed",
    says: [TOO_SLOW],
  }),
  "breaks its response off": () => ({
    script: moduleOf(`const { readable, writable } = new TransformStream();
      void writable.getWriter().write(new TextEncoder().encode("more"));
      return new Response(readable);`),
    status: "failed",
    says: [/^error: The script did not end its response$/],
  }),
  "returns something else": () => ({
    script: moduleOf("return { status: 200 };"),
    status: "failed",
    says: [/^error: The script failed/],
  }),
  "returns a failure of bytes": () => ({
    script: moduleOf(
      "return new Response(new Uint8Array(200_000).map((_, at) => at % 256), { status: 500 });",
    ),
    status: "failed",
    says: [/^error: The integration returned 500: /],
  }),
  "returns more than anybody reads": () => ({
    script: moduleOf('return new Response("x".repeat(11 * 1024 * 1024));'),
    status: "failed",
    says: [/^error: The response is larger than 10485760 bytes$/],
  }),
  "opens private addresses": () => ({
    script: moduleOf(`for (const address of ["http://169.254.169.254/latest/meta-data", "http://10.0.0.1/",
        "http://192.168.0.1/", "http://[fd00::1]/", "http://[::ffff:10.0.0.1]/", "http://0x0a000001/",
        "http://host/scripts/x", "file:///etc/passwd", "http://octavo.test/internal"])
        console.log(address, await fetch(address).then((response) => "got " + response.status, (error) => "refused " + error.message));
      return new Response("OK");`),
    status: "success",
    says: [/169\.254\.169\.254\/latest\/meta-data refused/, /fd00::1.* refused/, /file:.* refused/],
  }),
  "floods the log with entries": () => ({
    script: moduleOf(
      'for (let at = 0; at < 20_000; at++) console.log("entry", at); return new Response("OK");',
    ),
    status: "success",
    says: [/^info: entry 0$/, /^warn: \d+ further entries were left out$/],
  }),
  "floods the log with long entries": () => ({
    script: moduleOf(
      'for (let at = 0; at < 40; at++) console.log("x".repeat(1_000_000)); return new Response("OK");',
    ),
    status: "success",
    says: [/^(info|warn): /],
  }),
  "follows redirects without end": () => ({
    script: moduleOf(`return await fetch("${outside}/round");`),
    status: "failed",
    says: [/^error: The script failed: Too many redirects/],
  }),
};

/** An integration of an organization, installed there, with the id of its installation. */
async function installed(organization: string, script: string) {
  const { call } = await home.as({ [organization]: "admin" });
  const input = publication({ organization, script });
  const { integrationName } = input;
  await call.integrations.publish(input);
  const { id } = await call.installations.install({ integrationName, organization });
  const { integration } = await home.db
    .selectFrom("installation")
    .select("integration")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { call, integrationName, id, integration, organization };
}
type Installed = Awaited<ReturnType<typeof installed>>;

const update = (one: Installed, revisions: string[]) =>
  recordAll(
    home.ownContext(),
    [one],
    revisions.map((revisionId) => ({ type: "space_content_updated" as const, spaceId: "space", revisionId })),
  );

/** Delivers in as many turns as it takes. */
async function deliverAll(publisher: string): Promise<void> {
  const waiting = home.db.selectFrom("event").select("id").where("publisher", "=", publisher);
  while (await waiting.where("status", "is", null).limit(1).executeTakeFirst())
    await deliverWaiting(home.ownContext(), publisher);
}

/** How the events of an integration ended, the oldest first. */
async function endedOf({ call, integrationName }: Installed) {
  const { items } = await call.events.list({ integrationName, limit: 100 });
  const traced = items.toReversed().map(({ id: eventId }) => call.events.get({ integrationName, eventId }));
  return (await Promise.all(traced)).map(({ event, trace }) => ({
    status: event.status,
    said: trace!.logs.map(({ level, message }) => `${level}: ${message}`),
  }));
}
const REVISIONS = ["one", "two", "three"];
const sawAll = [
  expect.stringContaining("saw installation_setup"),
  ...REVISIONS.map((revision) => expect.stringContaining(`saw ${revision}`)),
];

/** Integrations of an organization with hostile scripts, and how each has to end. */
async function installAll(organization: string, scripts: Hostile) {
  const all: (Ending & { what: string; installed: Installed })[] = [];
  for (const [what, of] of Object.entries(scripts)) {
    const ending = of();
    all.push({ what, ...ending, installed: await installed(organization, ending.script) });
  }
  return all;
}

/** Those whose one event has not ended as it has to, with what is wrong. */
async function misfitsOf(all: Awaited<ReturnType<typeof installAll>>): Promise<object[]> {
  const found: object[] = [];
  for (const { what, status, says, installed } of all) {
    const ended = await endedOf(installed);
    const said = ended.flatMap((one) => one.said);
    const missing = says.filter((entry) => !said.some((one) => entry.test(one)));
    // No trace grows beyond what is kept of it, and nothing private was reached.
    const tooMuch = said.length > 210 || said.join("").length > 80_000;
    const got = said.filter((one) => /got \d/.test(one));
    const statuses = ended.map((one) => one.status);
    if (statuses.join() !== status || missing.length > 0 || tooMuch || got.length > 0)
      found.push({ what, statuses, missing, got, said: said.map((one) => one.slice(0, 200)).slice(0, 20) });
  }
  return found;
}

test("what hostile scripts do ends as it must, recorded; honest ones beside them receive all of theirs, in order", async () => {
  const [wild, calm] = [home.orgs.add(), home.orgs.add()];
  const hostile = await installAll(wild, HOSTILE);
  // One of the same publisher, which shares a process with all of them, and one of another.
  const [beside, elsewhere] = [await installed(wild, HONEST), await installed(calm, HONEST)];
  for (const one of [beside, elsewhere]) await update(one, REVISIONS);
  await Promise.all([wild, calm].map(deliverAll));

  // What a script logged may come after its response.
  await waitFor(async () => (await misfitsOf(hostile)).length === 0).catch(() => undefined);
  expect(await misfitsOf(hostile)).toEqual([]);
  for (const one of [beside, elsewhere]) {
    const ended = await endedOf(one);
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => "success"));
    expect(ended.map(({ said }) => said.find((entry) => /saw/.test(entry)))).toEqual(sawAll);
  }
});

test("a script makes 64 requests at a time and is refused others", async () => {
  const wild = home.orgs.add();
  const greedy = await installAll(wild, GREEDY);
  await deliverAll(wild);
  await waitFor(async () => (await misfitsOf(greedy)).length === 0).catch(() => undefined);
  expect(await misfitsOf(greedy)).toEqual([]);
  expect(slow.length).toBeLessThanOrEqual(64);
  for (const response of slow.splice(0)) response.end();
});

test("an event under which a process ends fails alone; an honest script of the same process receives all of its events, in order", async () => {
  const wild = home.orgs.add();
  const deadly = await installAll(wild, DEADLY);
  const honest = await installed(
    wild,
    moduleOf(`await fetch(environment.apiEndpoint + "/v1/saw/" + (event.revisionId ?? event.type));
      return new Response("OK");`),
  );
  await update(honest, REVISIONS);
  asked = [];
  await deliverAll(wild);
  await waitFor(async () => (await misfitsOf(deadly)).length === 0).catch(() => undefined);
  expect(await misfitsOf(deadly)).toEqual([]);
  const ended = await endedOf(honest);
  expect(ended.map(({ status }) => status)).toEqual(
    ["installation_setup", ...REVISIONS].map(() => "success"),
  );
  // What ran beside one that ended the process may have been run twice.
  const saw = asked.filter((path) => path.startsWith("/v1/saw/"));
  expect([...new Set(saw)]).toEqual(["installation_setup", ...REVISIONS].map((what) => `/v1/saw/${what}`));
});

test("while one organization's script lets nothing else run, another one receives all of its events", async () => {
  const [wild, calm] = [home.orgs.add(), home.orgs.add()];
  const looping = await installed(wild, moduleOf(`await fetch("${outside}/began"); for (;;);`));
  const honest = await installed(calm, HONEST);
  await deliverWaiting(home.ownContext(), calm);
  await update(honest, REVISIONS);
  asked = [];
  const loop = deliverWaiting(home.ownContext(), wild);
  await waitFor(async () => asked.includes("/began"));
  await deliverWaiting(home.ownContext(), calm);
  // The loop has not ended yet, and so it was before its deadline.
  expect(await endedOf(looping)).toEqual([]);
  expect((await endedOf(honest)).map(({ said }) => said.find((entry) => /saw/.test(entry)))).toEqual(sawAll);
  await loop;
  expect(await endedOf(looping)).toMatchObject([{ status: "failed" }]);
});
