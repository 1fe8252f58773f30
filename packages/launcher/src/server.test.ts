import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isAlive } from "./processes.js";
import { FatalStartError, type Server, startServer } from "./server.js";

/** A server that runs for a minute, and what a guard is notified of. */
function sleeper(given: Partial<Server>) {
  const directory = mkdtempSync(join(tmpdir(), "octavo-server-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [added, dropped]: number[][] = [[], []];
  const server: Server = {
    name: "Sleeper",
    command: "sleep",
    args: ["60"],
    logFile: join(directory, "log"),
    startMs: 60_000,
    ask: async () => {},
    stop: { signal: "TERM", graceMs: 10_000 },
    guard: { add: (pid) => added!.push(pid), drop: (pid) => dropped!.push(pid), release: () => {} },
    ...given,
  };
  return { server, added: added!, dropped: dropped! };
}

test("a server that responds to its check runs until it is stopped", async () => {
  let checks = 0;
  const ask = async () => {
    if (++checks < 3) throw new Error("not yet");
  };
  const { server, added, dropped } = sleeper({ ask });
  const running = await startServer(server);
  expect([checks, added, dropped, isAlive(running.pid)]).toEqual([3, [running.pid], [], true]);
  await running.stop();
  expect([await running.ended, dropped]).toEqual(["signal SIGTERM", [running.pid]]);
});

test("a server that fails for good, or never responds, is stopped before the start fails", async () => {
  for (const [error, startMs] of [
    [new FatalStartError("made with another password"), 60_000],
    [new Error("no response"), 100],
  ] as const) {
    const { server, added, dropped } = sleeper({ ask: () => Promise.reject(error), startMs });
    await expect(startServer(server)).rejects.toBe(error);
    expect([added.length, dropped]).toEqual([1, added]);
    expect(isAlive(added[0]!)).toBe(false);
  }
});

test("a server that dies at start fails with the end of its log", async () => {
  const ask = () => Promise.reject(new Error("nobody there"));
  const { server } = sleeper({ command: "sh", args: ["-c", "echo no space left; exit 3"], ask });
  await expect(startServer(server)).rejects.toThrow(
    /Sleeper ended at start \(exit code 3\).*\n.*no space left/,
  );
});

test("a program that is not there fails the start", async () => {
  const { server, added } = sleeper({ command: "/none/such", ask: () => new Promise(() => {}) });
  await expect(startServer(server)).rejects.toThrow("ENOENT");
  expect(added).toEqual([]);
});
