import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { ended, isAlive, stopProcess } from "./processes.js";
import { type Running, supervise } from "./supervise.js";

const backOff = { first: 10, longest: 50 };

async function idle(): Promise<Running> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const pid = child.pid ?? 0;
  return { pid, ended: ended(child), stop: () => stopProcess(pid, "SIGTERM", 5_000) };
}

test("a process that is killed is started again, and stopped with the rest", async () => {
  const lines: string[] = [];
  const one = await supervise({ name: "one", start: idle, backOff, onChange: (line) => lines.push(line) });
  const first = one.pid() ?? 0;
  process.kill(first, "SIGKILL");
  await expect.poll(() => one.pid() !== undefined && one.pid() !== first).toBe(true);
  expect(lines).toEqual(["one ended (signal SIGKILL); starting it again", "one is back"]);
  const second = one.pid() ?? 0;
  await one.stop();
  expect(isAlive(second)).toBe(false);
});

test("a start that fails is tried again until it works", async () => {
  let starts = 0;
  const start = async () => {
    starts++;
    if (starts > 1 && starts < 4) throw new Error("not yet");
    return idle();
  };
  const lines: string[] = [];
  const one = await supervise({ name: "one", start, backOff, onChange: (line) => lines.push(line) });
  process.kill(one.pid() ?? 0, "SIGKILL");
  await expect.poll(() => lines.at(-1)).toBe("one is back");
  expect(lines.slice(1)).toEqual(["not yet", "not yet", "one is back"]);
  await one.stop();
  expect(starts).toBe(4);
});

test("a first start that fails is the caller's", async () => {
  const start = () => Promise.reject(new Error("no such program"));
  await expect(supervise({ name: "one", start, onChange: () => {} })).rejects.toThrow("no such program");
});

test("a restart replaces the process at once and without an alarm", async () => {
  const lines: string[] = [];
  const pause = { first: 60_000, longest: 60_000 };
  const one = await supervise({
    name: "one",
    start: idle,
    backOff: pause,
    onChange: (line) => lines.push(line),
  });
  const first = one.pid() ?? 0;
  await one.restart();
  await expect.poll(() => lines).toEqual(["one is back"]);
  expect(isAlive(first)).toBe(false);
  await one.stop();
});

test("a restart that is requested during a start aborts that start, and another one follows", async () => {
  const lines: string[] = [];
  const signals: AbortSignal[] = [];
  let finish = () => {};
  const start = async (signal: AbortSignal) => {
    signals.push(signal);
    if (signals.length === 2) await new Promise<void>((resolve) => (finish = resolve));
    return idle();
  };
  const one = await supervise({ name: "one", start, backOff, onChange: (line) => lines.push(line) });
  const first = one.pid() ?? 0;
  await one.restart();
  await expect.poll(() => signals.length).toBe(2);
  await one.restart();
  expect(signals[1]!.aborted).toBe(true);
  finish();
  await expect.poll(() => lines).toEqual(["one is back"]);
  expect(signals).toHaveLength(3);
  expect(isAlive(first)).toBe(false);
  await one.stop();
});

test("stopping while the next start is awaited does not wait for the pause", async () => {
  const pause = { first: 60_000, longest: 60_000 };
  const one = await supervise({ name: "one", start: idle, backOff: pause, onChange: () => {} });
  process.kill(one.pid() ?? 0, "SIGKILL");
  await expect.poll(() => one.pid()).toBeUndefined();
  await one.stop();
});
