import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { logFileOf, sizeOf, tailOf, turnLogs } from "./logs.js";

const dataDir = mkdtempSync(join(tmpdir(), "octavo-logs-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test("a log past 10 MB is put aside while its writer goes on, a shorter one is left as it is", () => {
  const [long, short] = [logFileOf(dataDir, "long"), logFileOf(dataDir, "short")];
  appendFileSync(short, "short\n");
  const writer = openSync(long, "a");
  writeSync(writer, `${"x".repeat(10 * 1024 * 1024)}\n`);
  const from = sizeOf(long);
  turnLogs(dataDir);
  writeSync(writer, "goes on\n");
  closeSync(writer);
  expect(readFileSync(long, "utf8")).toBe("goes on\n");
  expect(sizeOf(`${long}.1`)).toBe(from);
  expect(tailOf(long, { from })).toBe("goes on");
  expect(readFileSync(short, "utf8")).toBe("short\n");
  turnLogs(dataDir);
  expect(sizeOf(`${long}.1`)).toBe(from);
});
