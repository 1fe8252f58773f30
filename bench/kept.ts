import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { compare, medianOf, type Run, read, type Target } from "./load.js";
import type { Line } from "./report.js";

const rounds = 3;
const seconds = 4;
const connections = 50;

/**
 * A page that the reader with this process id has kept, and the 304 of it, against node:http alone with the same bytes,
 * in turns.
 */
export async function measureKept(url: string, reader: number): Promise<Line[]> {
  const bare = await startBare(url);
  try {
    const headers = { "accept-encoding": "br" };
    const { etag } = Object.fromEntries((await fetch(url, { headers })).headers);
    const { origin, pathname } = new URL(url);
    const ours = { url: origin, headers, processes: () => ({ reader: [reader] }) };
    const theirs = { url: bare.url, headers, processes: () => ({ bare: [bare.process.pid!] }) };
    const runs = await inTurns({
      page: { ...ours, paths: [pathname] },
      barePage: { ...theirs, paths: [pathname] },
      known: { ...ours, paths: [pathname], tagOf: () => etag! },
      bareKnown: { ...theirs, paths: [pathname], tagOf: () => etag! },
    });
    return [
      compare("cached page of a site", runs.page!, runs.barePage!, { atLeast: 0.6 }),
      compare("304 of a page of a site", runs.known!, runs.bareKnown!, { atLeast: 0.8 }),
    ];
  } finally {
    bare.process.kill();
  }
}

async function inTurns(targets: Record<string, Target>): Promise<Record<string, Run>> {
  const runs: Record<string, Run[]> = {};
  for (const target of Object.values(targets)) await read(target, connections, 2);
  for (let round = 0; round < rounds; round++)
    for (const [name, target] of Object.entries(targets)) {
      runs[name] ??= [];
      runs[name].push(await read(target, connections, seconds));
    }
  return Object.fromEntries(Object.entries(runs).map(([name, each]) => [name, medianOf(each)]));
}

async function startBare(url: string): Promise<{ url: string; process: ChildProcess }> {
  const file = new URL("./bare-server.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", file, url], {
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const [port] = await once(child.stdout!, "data");
  return { url: `http://127.0.0.1:${String(port).trim()}`, process: child };
}
