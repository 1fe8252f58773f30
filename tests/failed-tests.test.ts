import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

test("every test that failed once is named with its error at the end of a run, also one that passed when tried again", () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--config",
      "tests/fixtures/unsteady/vitest.config.ts",
      "--reporter",
      "./tests/harness/failed-tests.ts",
    ],
    { cwd: root, encoding: "utf8" },
  );
  expect(status).toBe(1);
  expect(stdout.split("\n").filter(Boolean).sort()).toEqual([
    "Failed: tests/fixtures/unsteady/broken.ts: cannot be loaded",
    "Failed: tests/fixtures/unsteady/unsteady.ts > never passes: expected 1 to be 2 // Object.is equality; actual: 1",
    "Flaky: tests/fixtures/unsteady/unsteady.ts > passes when tried again: expected 1 to be 2 // Object.is equality; actual: 1",
  ]);
});
