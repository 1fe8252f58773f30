import { setTimeout as sleep } from "node:timers/promises";
import type { Order, Sight } from "./bystander.js";

// Reads one path after the other and remembers the slowest; started by startBystander, and ends with it.

const PAUSE_MS = 10;
const PATIENCE_MS = 20_000;
const { base, token, paths }: Order = JSON.parse(process.argv[2]!);
let sight = nothing();

function nothing(): Sight {
  return { requests: 0, slowest: 0, failures: [] };
}

async function read(path: string) {
  const began = performance.now();
  const failed = await fetch(`${base}/v1${path}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok ? undefined : `${path}: ${response.status}`;
    },
    (error: Error) => `${path}: ${error.message}`,
  );
  sight.requests += 1;
  sight.slowest = Math.max(sight.slowest, performance.now() - began);
  if (failed && sight.failures.length < 5) sight.failures.push(failed);
}

process.on("message", () => {
  process.send?.(sight);
  sight = nothing();
});
process.on("disconnect", () => process.exit());
// What is slow once, as connections are made, is no one's attack.
for (const path of paths) await read(path);
sight = nothing();
process.send?.("ready");
for (;;) {
  for (const path of paths) {
    await read(path);
    await sleep(PAUSE_MS);
  }
}
