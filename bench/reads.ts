import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import autocannon from "autocannon";
import type pg from "pg";
import type { Client } from "../tests/harness/client.js";
import type { Stack } from "../tests/harness/stack.js";
import { cpuOf, familyOf } from "./processes.js";
import { type Line, median } from "./report.js";

const rounds = 3;
const seconds = 4;
const connections = 50;
const paragraph =
  "A page holds what a reader came for, and a little more than that: where it stands, and what lies next to it. ";

/** What is loaded: an address, and the processes whose CPU is counted by name. */
interface Target {
  url: string;
  headers?: Record<string, string>;
  /** Asked for at each run: PostgreSQL's come and go. */
  processes: () => Record<string, number[]>;
}
interface Run {
  perSecond: number;
  /** Microseconds a request, by process. */
  cpu: Record<string, number>;
}

/** One page, and a list of 100 spaces, through gateway and service, against bare node:http and pg in turns. */
export async function measureReads(
  stack: Stack,
  call: Client,
  reference: { url: string; client: pg.Client },
): Promise<Line[]> {
  const { page, list } = await seed(call);
  await seedReference(reference.client);
  const server = await startReference(reference.url);
  try {
    const headers = { authorization: `Bearer ${stack.token}` };
    const [gateway, content, postgres] = await Promise.all(
      ["gateway/dist", "services/content", "postgres -D"].map((part) => stack.pidOf(part)),
    );
    const processes = () => ({ gateway: [gateway!], content: [content!], postgres: familyOf(postgres!) });
    const bare = {
      processes: () => ({ reference: [server.process.pid!], postgres: familyOf(postgres!) }),
    };
    const targets: Record<string, Target> = {
      barePage: { url: `${server.url}/one/500`, ...bare },
      page: { url: `${stack.base}/v1${page}`, headers, processes },
      bareList: { url: `${server.url}/list/1`, ...bare },
      list: { url: `${stack.base}/v1${list}`, headers, processes },
    };
    const runs: Record<string, Run[]> = { barePage: [], page: [], bareList: [], list: [] };
    for (const target of Object.values(targets)) await load(target, 2);
    for (let round = 0; round < rounds; round++) {
      for (const [name, target] of Object.entries(targets)) runs[name]!.push(await load(target, seconds));
    }
    return [
      ...compare("page read", runs.page!, runs.barePage!, 0.3),
      ...compare("list of 100 spaces", runs.list!, runs.bareList!, 0.25),
    ];
  } finally {
    server.process.kill();
  }
}

function compare(what: string, ours: Run[], bare: Run[], atLeast: number): Line[] {
  const perSecond = (runs: Run[]) => median(runs.map((run) => run.perSecond));
  const cpu = (runs: Run[], name: string) => median(runs.map((run) => run.cpu[name]!));
  const [gateway, content, postgres] = ["gateway", "content", "postgres"].map((name) => cpu(ours, name));
  const microseconds = (values: number[]) => `${values.map((value) => value.toFixed(0)).join(" + ")} µs`;
  return [
    {
      what: `${what}, 50 connections`,
      measured: `${perSecond(ours).toFixed(0)}/s`,
      reference: `${perSecond(bare).toFixed(0)}/s`,
      result: perSecond(ours) / perSecond(bare),
      target: { atLeast },
    },
    {
      what: `${what}, gateway's part of the CPU (with content, PostgreSQL)`,
      measured: microseconds([gateway!, content!, postgres!]),
      reference: microseconds([cpu(bare, "reference"), cpu(bare, "postgres")]),
      result: gateway! / (gateway! + content!),
      target: { atMost: 0.5 },
    },
  ];
}

async function load({ url, headers, processes }: Target, duration: number): Promise<Run> {
  const before = used(processes());
  const result = await autocannon({ url, headers, connections, duration });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  const total = result.requests.total;
  const cpu = Object.fromEntries(
    [...used(processes())].map(([name, after]) => [name, since(before.get(name)!, after) / total]),
  );
  return { perSecond: total / result.duration, cpu };
}

/** CPU time of the processes that are there, by name and id. */
function used(processes: Record<string, number[]>): Map<string, Map<number, number>> {
  const times = (pids: number[]) => new Map(pids.map((pid) => [pid, cpuOf(pid)]));
  return new Map(Object.entries(processes).map(([name, pids]) => [name, times(pids)]));
}

const since = (before: Map<number, number>, after: Map<number, number>) =>
  [...after].reduce((all, [pid, time]) => all + time - (before.get(pid) ?? 0), 0);

/** An organization with 100 spaces, one of which has pages. */
async function seed(call: Client): Promise<{ page: string; list: string }> {
  const organization = (await call<{ id: string }>("POST", "/orgs", { title: "Readers" })).body.id;
  const spaces: string[] = [];
  for (let number = 1; number <= 100; number++) {
    const { body } = await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {
      title: `Space ${number}`,
    });
    spaces.push(body.id);
  }
  const requests = `/spaces/${spaces[0]}/change-requests`;
  const { id } = (await call<{ id: string }>("POST", requests, { subject: "Pages" })).body;
  const changes = Array.from({ length: 50 }, (_, number) => ({
    operation: "insert_page",
    title: `Page ${number}`,
    document: { markdown: paragraph.repeat(4) },
  }));
  await call("POST", `${requests}/${id}/content`, { changes });
  await call("POST", `${requests}/${id}/merge`);
  const { body } = await call<{ pages: { id: string }[] }>("GET", `/spaces/${spaces[0]}/content/pages`);
  return {
    page: `/spaces/${spaces[0]}/content/page/${body.pages[25]!.id}?format=markdown`,
    list: `/orgs/${organization}/spaces?limit=100`,
  };
}

/** What the reference reads: 10,000 rows of about 1 KB, made once. */
export async function seedReference(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select to_regclass('reference.item') is not null as there");
  if (rows[0].there) return;
  await client.query(`
    create table reference.item (id int primary key, owner int not null, title text not null, body text not null,
      created_at timestamptz not null default now());
    create index on reference.item (owner, id)`);
  await client.query(
    `insert into reference.item (id, owner, title, body)
     select n, 1 + n / 100, 'Item ' || n, $1 from generate_series(0, 9999) n`,
    [paragraph.repeat(8).slice(0, 900)],
  );
  await client.query("analyze reference.item");
}

/** Starts the server that the API is compared with. */
export async function startReference(databaseUrl: string): Promise<{ url: string; process: ChildProcess }> {
  const file = new URL("./reference-server.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", file], {
    env: { ...process.env, NODE_ENV: "production", DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const [port] = await once(child.stdout!, "data");
  return { url: `http://127.0.0.1:${String(port).trim()}`, process: child };
}
