import { setTimeout as sleep } from "node:timers/promises";
import type { Order, Sight } from "./bystander.js";

// Reads one path after the other and remembers the slowest; started by startBystander, and ends with it.

const PAUSE_MS = 10;
const PATIENCE_MS = 20_000;
const { base, token, paths }: Order = JSON.parse(process.argv[2]!);
let sight = nothing();

function nothing(): Sight {
  return { requests: 0, slowest: 0, path: "", late: 0, failures: [] };
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
  const took = performance.now() - began;
  if (took > sight.slowest) [sight.slowest, sight.path] = [took, path];
  if (failed && sight.failures.length < 5) sight.failures.push(failed);
}

/** Notes how late a timer is: how long this process itself kept its requests waiting. */
function watchOwnDelays() {
  let due = performance.now() + PAUSE_MS;
  setInterval(() => {
    const now = performance.now();
    sight.late = Math.max(sight.late, now - due);
    due = now + PAUSE_MS;
  }, PAUSE_MS).unref();
}

process.on("message", () => {
  process.send?.(sight);
  sight = nothing();
});
process.on("disconnect", () => process.exit());
// What is slow once, as connections are made, is no one's attack.
for (const path of paths) await read(path);
sight = nothing();
watchOwnDelays();
process.send?.("ready");
for (;;) {
  for (const path of paths) {
    await read(path);
    await sleep(PAUSE_MS);
  }
}
