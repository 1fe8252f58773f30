import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LockedError, lockDataDir } from "./lock.js";
import { commandOf, ended, stopProcess } from "./processes.js";

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), "octavo-lock-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test("a lock is taken, and gone when it is given back", () => {
  const dataDir = directory();
  const unlock = lockDataDir(dataDir);
  expect(existsSync(join(dataDir, "lock"))).toBe(true);
  unlock();
  expect(readdirSync(dataDir)).toEqual([]);
});

test("a lock of a living process is refused with its id, and taken over once that process is dead", async () => {
  const dataDir = directory();
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const pid = other.pid ?? 0;
  await expect.poll(() => commandOf(pid)).toContain("setInterval");
  writeFileSync(join(dataDir, "lock"), `${pid}\n${commandOf(pid)}\n`);
  expect(() => lockDataDir(dataDir)).toThrow(LockedError);
  expect(() => lockDataDir(dataDir)).toThrow(`(pid ${pid})`);
  const end = ended(other);
  await stopProcess(pid, "SIGTERM", 5_000);
  await end;
  lockDataDir(dataDir)();
});

test("a lock whose process id belongs to another program by now is taken over", () => {
  const dataDir = directory();
  writeFileSync(join(dataDir, "lock"), `${process.ppid}\nnode some/other/launcher.js\n`);
  lockDataDir(dataDir)();
});

test("a lock that was cut off while it was written is taken over", () => {
  const dataDir = directory();
  writeFileSync(join(dataDir, "lock"), "");
  lockDataDir(dataDir)();
});

test("giving back a lock that somebody else has taken meanwhile leaves theirs", () => {
  const dataDir = directory();
  const unlock = lockDataDir(dataDir);
  writeFileSync(join(dataDir, "lock"), "1\nsomebody else\n");
  unlock();
  expect(existsSync(join(dataDir, "lock"))).toBe(true);
});
