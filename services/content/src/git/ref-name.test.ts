import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { isRefName } from "./ref-name.js";

const names = [
  "main",
  "a/b",
  "a.b",
  "-x",
  "@",
  "a@b",
  "a@",
  "{x}",
  "ünïcode",
  "日本",
  "a\u00a0b",
  "x.lockx",
  '"',
  "$(x)",
  "..",
  "a..b",
  ".a",
  "a/.b",
  "a.",
  "a./b",
  "a.lock",
  "a.lock/b",
  "",
  "/",
  "a/",
  "/a",
  "a//b",
  "@{",
  "a@{1}",
  "a b",
  "a~1",
  "a^",
  "a:b",
  "a?",
  "a*",
  "[a]",
  "a\\b",
  "a\tb",
  "a\nb",
  "a\x7fb",
  "a\x01",
];

test.each(names)("refs/heads/%j is a name if git accepts it", (name) => {
  const ref = `refs/heads/${name}`;
  expect(isRefName(ref)).toBe(spawnSync("git", ["check-ref-format", ref]).status === 0);
});
