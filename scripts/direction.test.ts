import { expect, test } from "vitest";
import { isForTests, problemsOf } from "./direction.js";

const importing = (...from: string[]) => from.map((file) => `import { one } from "${file}";\n`).join("");
const sources = (files: Record<string, string>) => new Map(Object.entries(files));
const order = ["db", "trpc", "access", "spaces", "router"];

test("imports that follow the order are fine, of files beside the folders too", () => {
  const files = sources({
    "db/database.ts": "",
    "trpc.ts": importing("./db/database.js"),
    "access/level.ts": importing("../trpc.js"),
    "spaces/rules.ts": importing("../access/level.js", "@octavo/shared/errors"),
    "router.ts": importing("./spaces/rules.js"),
  });
  expect(problemsOf(files, order)).toEqual([]);
});

test("an import of what comes later is a problem, of types alone and of a whole module too", () => {
  const files = sources({
    "db/database.ts": 'import type { Ctx } from "../trpc.js";\n',
    "trpc.ts": "",
    "access/level.ts": 'export * from "../spaces/rules.js";\n',
    "spaces/rules.ts": "",
  });
  expect(problemsOf(files, order)).toEqual([
    "db/database.ts imports trpc.ts, which comes later in scripts/layers.ts",
    "access/level.ts imports spaces/rules.ts, which comes later in scripts/layers.ts",
  ]);
});

test("a folder without a place in the order is a problem", () => {
  const files = sources({ "news/rules.ts": "" });
  expect(problemsOf(files, order)).toEqual(["news/rules.ts has no place in scripts/layers.ts"]);
});

test("circles of files and of folders are problems, in a part that has no order too", () => {
  const files = sources({
    "merge.ts": importing("./fields.js"),
    "fields.ts": importing("./join.js"),
    "join.ts": importing("./merge.js"),
    "a/one.ts": importing("../b/one.js"),
    "b/two.ts": importing("../a/two.js"),
    "b/one.ts": "",
    "a/two.ts": "",
  });
  expect(problemsOf(files)).toEqual([
    "files import each other: fields.ts, join.ts, merge.ts",
    "folders import each other: fields.ts, join.ts, merge.ts",
    "folders import each other: a, b",
  ]);
});

test("tests and what they share may import anything", () => {
  const names = ["a/rules.test.ts", "testing/orgs.ts", "a/testing.ts", "a/testing-dns.ts"];
  expect(names.map(isForTests)).toEqual([true, true, true, true]);
  expect(isForTests("a/contesting.ts")).toBe(false);
});

test("the operations in rules are part of the folder around it", () => {
  const files = sources({
    "spaces/router.ts": importing("./rules/move.js"),
    "spaces/rules/move.ts": importing("../queries.js"),
    "spaces/queries.ts": "",
  });
  expect(problemsOf(files)).toEqual([]);
});
