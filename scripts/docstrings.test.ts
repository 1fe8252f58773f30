import { expect, test } from "vitest";
import { docstringProblems, needsDocstrings } from "./docstrings.js";

const problems = (source: string) => docstringProblems("rules.ts", source);

test("a function with a docstring of its own has no problem", () => {
  expect(problems("/** Returns a page; 404 when there is none. */\nexport function get() {}\n")).toEqual([]);
  expect(
    problems("/**\n * Returns a page.\n *\n * Also its children.\n */\nexport const get = () => 1;\n"),
  ).toEqual([]);
});

test("an exported function without a docstring is named with its line", () => {
  expect(problems("const one = 1;\n\nexport async function get() {}\n")).toEqual(["3: get has no docstring"]);
  expect(problems("export default function () {}\n")).toEqual(["1: default has no docstring"]);
});

test("constants need one when they are functions", () => {
  expect(problems("export const find = (id: string) => id;\n")).toEqual(["1: find has no docstring"]);
  expect(problems("export const find = function (id: string) {};\n")).toEqual(["1: find has no docstring"]);
  expect(problems("export const find = ((id) => id) satisfies Find;\n")).toEqual([
    "1: find has no docstring",
  ]);
  expect(problems("export const MAX = 3;\nexport type Row = string;\n")).toEqual([]);
});

test("what is not exported needs none", () => {
  expect(problems("function helper() {}\nconst other = () => 1;\n")).toEqual([]);
});

test("a docstring that leans on the one above cannot stand alone", () => {
  for (const first of ["The same for a file.", "Also when it was removed.", "As above, locked."]) {
    expect(problems(`/** ${first} */\nexport function find() {}\n`)).toEqual([
      `2: find has a docstring that cannot stand alone: "${first}"`,
    ]);
  }
  expect(problems("/**\n * The same of a\n * change request.\n */\nexport const find = () => 1;\n")).toEqual([
    '5: find has a docstring that cannot stand alone: "The same of a"',
  ]);
});

test("other comments, and docstrings of something else, do not count", () => {
  expect(problems("// Returns a page.\nexport function get() {}\n")).toEqual(["2: get has no docstring"]);
  expect(problems("/* Returns a page. */\nexport function get() {}\n")).toEqual(["2: get has no docstring"]);
  expect(problems("/** */\nexport function get() {}\n")).toEqual(["2: get has no docstring"]);
  expect(problems("/** A limit. */\nconst MAX = 3;\nexport function get() {}\n")).toEqual([
    "3: get has no docstring",
  ]);
});

test("the docstring of an overloaded function stands on its first signature", () => {
  const overloads = "export function get(id: string): string;\nexport function get(id: unknown) {}\n";
  expect(problems(`/** Returns a page. */\n${overloads}`)).toEqual([]);
  expect(problems(overloads)).toEqual(["1: get has no docstring"]);
});

test("docstrings are needed in rules, queries, stores, shared and markdown", () => {
  const needed = [
    "services/orgs/src/membership/teams/rules.ts",
    "services/content/src/review/changes/rules/list.ts",
    "services/orgs/src/accounts/tokens/queries.ts",
    "services/sites/src/store/sites.ts",
    "packages/shared/src/access.ts",
    "packages/markdown/src/parser/tags.ts",
  ];
  const free = [
    "services/orgs/src/membership/teams/view.ts",
    "services/orgs/src/membership/teams/rules.test.ts",
    "packages/markdown/src/document/testing.ts",
    "packages/launcher/src/rules.ts",
    "packages/shared/src/data.json",
  ];
  expect([...needed, ...free].filter(needsDocstrings)).toEqual(needed);
});
