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
const LOOP = "export default { fetch() { for (;;); } };";
/** Milliseconds that a script may take to respond. */
const DEADLINE_MS = 10_000;
const WARM = 1_000;
const COLD = 7;
const SCRIPTS = 50;
const PUBLISHED_AT_ONCE = 4;
const WITHIN_MS = 120_000;

/**
 * Events by the sandbox, from the service's side: warm, with a new script, in a new process; what idle scripts hold; and
 * what an endless loop of one organization costs another one.
 */
export async function measureScripts(): Promise<Line[]> {
  const runtime = startRuntime({
    egress: createEgress(),
    log: pino({ level: "silent" }),
    timeoutMs: DEADLINE_MS,
    memory: 768,
    apiEndpoint: "http://octavo.test",
    gatewayUrl: "http://127.0.0.1:1",
  });
  const form = multipart({ event: '{"type":"x"}', environment: "{}" });
  const dispatch = (organization: string, key: string, source = SOURCE) => {
    const script = { key, generation: "v2" as const, source: async () => source };
    return runtime.dispatch({ organization, script, ...form });
  };
  const timed = async (organization: string, key: string) => {
    const since = performance.now();
    await dispatch(organization, key);
    return performance.now() - since;
  };
  /** Events of one organization, one after the other, for as long as a script of another one lets nothing else run. */
  const besideLoop = async () => {
    let isOver = false;
    const loop = dispatch("looping", "loop", LOOP)
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    const beside: number[] = [];
    while (!isOver) beside.push(await timed("one", "script0"));
    await loop;
    return beside;
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
    const beside = await besideLoop();
    const line = (what: string, values: number[], atMost: number): Line => ({
      what,
      measured: `n=${values.length}, worst ${Math.round(Math.max(...values))} ms`,
      result: median(values),
      target: { atMost },
      unit: "ms p50",
    });
    return [
      line(`event for one of ${SCRIPTS} scripts in use`, warm, 10),
      line("first event for a script", loads.slice(1), 300),
      line("first event for an organization: a process is started", processes, 300),
      {
        what: `memory of an idle process that runs ${SCRIPTS} scripts`,
        measured: `after ${WARM} events`,
        result: Math.max(...held),
        target: { atMost: 150 },
        unit: "MB",
      },
      {
        what: "delay of an event by an endless loop of another organization",
        measured: `n=${beside.length}, worst less the median of before; target: the deadline`,
        result: Math.max(0, Math.max(...beside) - median(warm)),
        target: { atMost: DEADLINE_MS },
        unit: "ms",
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
          title: "Bench",
          description: "",
          scopes: ["space:content:read"],
          organization,
          runtime: "v2",
          script: SOURCE,
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
      result: seconds,
      target: { atMost: 10 },
      unit: "s",
    },
  ];
}
