import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDataDir } from "./data-dir.js";

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), "octavo-data-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test("a data directory is made with the folders above it, and one that is there is taken", () => {
  const dataDir = join(directory(), "deep/data");
  openDataDir(dataDir);
  openDataDir(dataDir);
  expect(existsSync(dataDir)).toBe(true);
});

test("a data directory that cannot be used is refused with a message that advises what to do", () => {
  const file = join(directory(), "file");
  writeFileSync(file, "");
  const advice = "Set OCTAVO_DATA_DIR to a directory that this account may write";
  expect(() => openDataDir(file)).toThrow(
    `The data directory ${file} cannot be used: it is a file.\n${advice}`,
  );
  expect(() => openDataDir(join(file, "data"))).toThrow("a part of the path is a file");
});
