import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freeRange } from "../tests/harness/stack.js";
import { familyOf, memoryOf } from "./processes.js";
import type { Line } from "./report.js";

const root = resolve(import.meta.dirname, "..");
const patience = 120_000;
/** Longer than a process holds what starting took. */
const idleMs = 40_000;

/** `npm start` with everything installed and built: the first time, again with data, and what it holds when idle. */
export async function measureStarts(): Promise<Line[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "octavo-bench-"));
  const env = { ...process.env, PORT: String(await freeRange()), OCTAVO_DATA_DIR: dataDir };
  try {
    const first = await start(env);
    await stop(first.child);
    const again = await start(env);
    await sleep(idleMs);
    const held = familyOf(again.child.pid!).map(memoryOf);
    const rss = held.reduce((sum, one) => sum + one.rss, 0);
    const share = held.reduce((sum, one) => sum + one.share, 0);
    await stop(again.child);
    return [
      line("npm start, new data", first.seconds),
      line("npm start, data there", again.seconds),
      {
        what: `idle, all ${held.length} processes together`,
        measured: `${share.toFixed(0)} MB`,
        reference: `${rss.toFixed(0)} MB if shared pages counted in each`,
        result: share,
        unit: "MB",
        target: { atMost: 600 },
      },
    ];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const line = (what: string, seconds: number): Line => ({
  what,
  measured: `${seconds.toFixed(1)} s`,
  result: seconds,
  unit: "s",
  target: { atMost: 20 },
});

async function start(env: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; seconds: number }> {
  const since = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: root,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (text: Buffer) => (output += text));
  while (!output.includes("Octavo is up")) {
    if (child.exitCode !== null || performance.now() - since > patience) {
      await stop(child);
      throw new Error(`npm start did not come up:\n${output}`);
    }
    await sleep(20);
  }
  return { child, seconds: (performance.now() - since) / 1000 };
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null) return;
  const family = familyOf(child.pid!);
  // To the whole group, as a terminal's Ctrl-C: npm does not pass it on.
  process.kill(-child.pid!, "SIGINT");
  await Promise.race([once(child, "exit"), sleep(30_000)]);
  for (let waited = 0; waited < 30_000 && family.some(isThere); waited += 100) await sleep(100);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
