import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Stack } from "../tests/harness/stack.js";
import { processesOf } from "./library.js";
import { compare, medianOf, type Run, read, type Target } from "./load.js";
import { tokenOf } from "./reads.js";
import type { Line } from "./report.js";

const rounds = 3;
const seconds = 4;
const connections = 50;

/** The rate at which the reader with this process id sends a page that it has kept, and the 304 of it. */
export async function measureKept(url: string, reader: number): Promise<Line[]> {
  const { page, barePage, known, bareKnown } = await readKept(url, reader);
  return [
    compare("cached page of a site", page, barePage, { atLeast: KEPT_LEAST }),
    compare("304 of a page of a site", known, bareKnown, { atLeast: KNOWN_LEAST }),
  ];
}

/** The parts of what node:http alone comes to that a kept page and its 304 come to at least. */
export const [KEPT_LEAST, KNOWN_LEAST] = [0.6, 0.8];

/** Reads a page that the reader has kept, and the 304 of it, and the same bytes of node:http alone, in turns. */
export async function readKept(
  url: string,
  reader: number,
): Promise<Record<"page" | "barePage" | "known" | "bareKnown", Run>> {
  const bare = await startBare(url);
  try {
    const headers = { "accept-encoding": "br" };
    const { etag } = Object.fromEntries((await fetch(url, { headers })).headers);
    const { origin, pathname } = new URL(url);
    const ours = { url: origin, headers, processes: () => ({ server: [reader] }) };
    const theirs = { url: bare.url, headers, processes: () => ({ server: [bare.process.pid!] }) };
    return await inTurns({
      page: { ...ours, paths: [pathname] },
      barePage: { ...theirs, paths: [pathname] },
      known: { ...ours, paths: [pathname], tagOf: () => etag! },
      bareKnown: { ...theirs, paths: [pathname], tagOf: () => etag! },
    });
  } finally {
    bare.process.kill();
  }
}

/** The part of the rate of a cheap read of the API that a kept page comes to at least, both through the gateway. */
const GATEWAY_LEAST = 0.9;

/** The rate at which the gateway hands on a page that the reader has kept, against that of a read of the API. */
export async function measureKeptThroughGateway(
  stack: Stack,
  address: string,
  read: string,
): Promise<Line[]> {
  const processes = await processesOf(stack);
  const reader = await stack.pidOf("reader/dist");
  const { origin, pathname } = new URL(address);
  const through = { processes: () => ({ ...processes(), reader: [reader] }) };
  const { page, api } = await inTurns({
    page: { ...through, url: origin, headers: { "accept-encoding": "br" }, paths: [pathname] },
    api: { ...through, url: stack.base, headers: tokenOf(stack), paths: [read] },
  });
  return [compare("the same through the gateway", page, api, { atLeast: GATEWAY_LEAST })];
}

async function inTurns<Name extends string>(targets: Record<Name, Target>): Promise<Record<Name, Run>> {
  const all = Object.entries<Target>(targets);
  for (const [, target] of all) await read(target, connections, 2);
  const runs = new Map<string, Run[]>(all.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, target] of all) runs.get(name)!.push(await read(target, connections, seconds));
  const medians = [...runs].map(([name, each]) => [name, medianOf(each)]);
  return Object.fromEntries(medians) as Record<Name, Run>;
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
