import { readFileSync } from "node:fs";
import { createEgress } from "@octavo/shared/egress/client";
import { pino } from "pino";
import { multipart } from "../services/integrations/src/events/multipart.js";
import { startRuntime } from "../services/integrations/src/runtime/start.js";
import { type Client, eventually } from "../tests/harness/client.js";
import { openDatabase } from "../tests/harness/database.js";
import { addPage } from "../tests/harness/editing.js";
import type { Stack } from "../tests/harness/stack.js";
import { familyOf, memoryOf } from "./processes.js";
import { type Line, median } from "./report.js";

const SOURCE = `export default {
  async fetch(request) {
    const { type } = JSON.parse((await request.formData()).get("event"));
    console.log(type);
    return new Response("OK");
  },
};`;
const WARM = 1_000;
const COLD = 7;
const SCRIPTS = 50;
const PUBLISHED_AT_ONCE = 4;
const WITHIN_MS = 120_000;

/** Events by the sandbox, from the service's side: warm, with a new script, in a new process; and what idle scripts hold. */
export async function measureScripts(): Promise<Line[]> {
  const runtime = startRuntime({
    ...{ egress: createEgress(), log: pino({ level: "silent" }), timeoutMs: 10_000, memory: 768 },
    ...{ apiEndpoint: "http://octavo.test", gatewayUrl: "http://127.0.0.1:1" },
  });
  const form = multipart({ event: '{"type":"x"}', environment: "{}" });
  const script = (key: string) => ({ key, generation: "v2" as const, source: async () => SOURCE });
  const timed = async (organization: string, key: string) => {
    const since = performance.now();
    await runtime.dispatch({ organization, script: script(key), ...form });
    return performance.now() - since;
  };
  try {
    const processes: number[] = [];
    for (let at = 0; at < COLD; at++) processes.push(await timed(`cold${at}`, `cold${at}`));
    const loads: number[] = [];
    for (let at = 0; at < SCRIPTS; at++) loads.push(await timed("one", `script${at}`));
    const warm: number[] = [];
    for (let at = 0; at < WARM; at++) warm.push(await timed("one", `script${at % SCRIPTS}`));
    const held = familyOf(process.pid)
      .filter((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("workerd"))
      .map((pid) => memoryOf(pid).rss);
    const line = (what: string, values: number[], atMost: number): Line => ({
      what,
      measured: `n=${values.length}, worst ${Math.round(Math.max(...values))} ms`,
      result: median(values),
      ...{ target: { atMost }, unit: "ms p50" },
    });
    return [
      line(`event for one of ${SCRIPTS} scripts in use`, warm, 10),
      line("first event for a script", loads.slice(1), 300),
      line("first event for an organization: a process is started", processes, 300),
      {
        what: `memory of an idle process that runs ${SCRIPTS} scripts`,
        measured: `after ${WARM} events`,
        ...{ result: Math.max(...held), target: { atMost: 150 }, unit: "MB" },
      },
    ];
  } finally {
    await runtime.stop();
  }
}

/**
 * How long it takes until many installations of one organization were notified of one change of a space: counted in the
 * database, which costs little, and read from the interface afterwards.
 */
export async function measureTelling(stack: Stack, call: Client, installations = 1_000): Promise<Line[]> {
  const database = openDatabase(stack);
  const organization = (await call<{ items: { id: string }[] }>("GET", "/orgs")).body.items[0]!.id;
  const names = Array.from({ length: installations }, (_, at) => `bench-${process.pid}-${at}`);
  const left = [...names];
  await Promise.all(
    Array.from({ length: PUBLISHED_AT_ONCE }, async () => {
      for (let name = left.pop(); name; name = left.pop()) {
        await call("POST", `/integrations/${name}`, {
          ...{ title: "Bench", description: "", scopes: ["space:content:read"], organization },
          ...{ runtime: "v2", script: SOURCE },
        });
        await call("POST", `/integrations/${name}/installations`, { organization });
      }
    }),
  );
  const hasEvent = async (name: string, type: string) => {
    const { body } = await call<{ items: { payload: { type: string } }[] }>(
      "GET",
      `/integrations/${name}/events`,
    );
    return body.items.some(({ payload }) => payload.type === type);
  };
  const waitFor = (type: string) =>
    eventually(async () => {
      const [row] = await database.query<{ count: number }>(
        `select count(*)::int as count from integrations.event where status is not null and payload->>'type' = $1
         and integration in (select id from integrations.integration where name = any($2))`,
        [type, names],
      );
      return row!.count >= installations;
    }, WITHIN_MS);
  await waitFor("installation_setup");
  const path = `/orgs/${organization}/spaces`;
  const space = (await call<{ id: string }>("POST", path, { title: "Bench" })).body.id;
  const since = performance.now();
  await addPage(call, space, "Changed");
  await waitFor("space_content_updated");
  const seconds = (performance.now() - since) / 1_000;
  for (const name of names)
    if (!(await hasEvent(name, "space_content_updated"))) throw new Error(`${name} has no event`);
  await database.close();
  return [
    {
      what: `${installations} installations notified of one change`,
      measured: "until the last event is recorded",
      ...{ result: seconds, target: { atMost: 10 }, unit: "s" },
    },
  ];
}
