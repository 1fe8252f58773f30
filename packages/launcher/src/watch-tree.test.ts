import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchTree } from "./watch-tree.js";

function watched() {
  const folder = mkdtempSync(join(tmpdir(), "octavo-watch-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "things"));
  const seen = new Set<string>();
  const failures: string[] = [];
  const changed = (file: string) => seen.add(file.slice(folder.length + 1));
  onTestFinished(watchTree(folder, { changed, failed: ({ message }) => failures.push(message) }));
  /** Writes the file as many editors do: under another name first. */
  const replace = (file: string) => {
    writeFileSync(join(folder, `${file}~`), "text");
    renameSync(join(folder, `${file}~`), join(folder, file));
  };
  return { folder, seen, failures, replace };
}

test("a file that another is put in place of is seen again and again", async () => {
  const { seen, failures, replace } = watched();
  for (let turn = 0; turn < 3; turn++) {
    seen.clear();
    replace("things/router.ts");
    await expect.poll(() => seen).toContain("things/router.ts");
  }
  expect(failures).toEqual([]);
});

test("a folder that comes later is watched, also when it went and came back", async () => {
  const { folder, seen, failures, replace } = watched();
  for (let turn = 0; turn < 2; turn++) {
    mkdirSync(join(folder, "things/late/deep"), { recursive: true });
    await expect.poll(() => seen).toContain("things/late/deep");
    seen.clear();
    replace("things/late/deep/rules.ts");
    await expect.poll(() => seen).toContain("things/late/deep/rules.ts");
    rmSync(join(folder, "things/late"), { recursive: true });
    await expect.poll(() => seen).toContain("things/late");
    seen.clear();
  }
  expect(failures).toEqual([]);
});
