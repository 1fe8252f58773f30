import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { problemsOfDocuments } from "./documents.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** What the check reports for a project of these files. */
function problemsOf(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), "octavo-documents-"));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return problemsOfDocuments(root);
}

const decision = (number: string, title: string, status = "accepted") =>
  `# ${number}. ${title}\n\n- Status: ${status}\n- Date: 2026-11-21\n`;
const index = (...rows: string[]) =>
  `# Decisions\n\n| number | title | status |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
const decided = {
  "docs/adr/README.md": index(
    "| [0001](0001-one.md) | One | superseded by 0002 |",
    "| [0002](0002-two.md) | Two | accepted |",
  ),
  "docs/adr/0001-one.md": decision("0001", "One", "superseded by [0002](0002-two.md)"),
  "docs/adr/0002-two.md": decision("0002", "Two"),
};
const described = {
  "README.md": "[All](docs/behaviour/README.md)",
  "docs/behaviour/README.md": "[Spaces](spaces.md#two-words)",
  "docs/behaviour/spaces.md": "# Spaces\n\n## Two words\n",
};

test("documents whose paths, links and indexes are right have no problem", () => {
  expect(problemsOf({ ...decided, ...described })).toEqual([]);
});

test("a path in quotes or in the tree of a document has to exist, at the root and below docs", () => {
  const files = {
    "src/main.ts": "",
    "README.md": "`src/main.ts`, `src/gone.ts`, `src/<name>`",
    "docs/deep/er.md": "`docs/gone.md`",
    "docs/map.md": "```tree\nsrc/  all of it\n  main.ts lost.ts  two files\n```\n",
  };
  expect(problemsOf(files)).toEqual([
    "README.md names src/gone.ts, which does not exist",
    "docs/deep/er.md names docs/gone.md, which does not exist",
    "docs/map.md names src/lost.ts, which does not exist",
  ]);
});

test("a link leads to a file that exists and to a heading that it has", () => {
  const files = {
    "README.md":
      "[a](docs/a.md) [b](docs/b.md#one-two-1) [c](docs/b.md#three) [d](#four) [e](https://example.com/x.md)",
    "docs/b.md":
      "# One, two\n\n## One, two\n\n```\n# Three\n[in code](nowhere.md)\n```\n[up](../README.md)\n",
  };
  expect(problemsOf(files)).toEqual([
    "README.md links to docs/a.md, which does not exist",
    "README.md links to #three in docs/b.md, which has no such heading",
    "README.md links to #four in README.md, which has no such heading",
  ]);
});

test("every decision is in the index, with its title and its status", () => {
  const files = {
    ...decided,
    "docs/adr/0002-two.md": decision("0002", "Two", "superseded by [0003](0003-three.md)"),
    "docs/adr/0001-one.md": decision("0001", "Once", "superseded by [0002](0002-two.md)"),
    "docs/adr/0003-three.md": decision("0003", "Three"),
  };
  expect(problemsOf(files)).toEqual([
    "docs/adr/0001-one.md has another title in docs/adr/README.md",
    "docs/adr/0002-two.md has another status in docs/adr/README.md",
    "docs/adr/0003-three.md is not in docs/adr/README.md",
  ]);
});

test("a decision has the number of its name, a status and a date", () => {
  const files = {
    "docs/adr/README.md": index("| [0001](0001-one.md) | One | accepted |"),
    "docs/adr/0001-one.md": "# 0007. One\n\n- Status: perhaps\n",
  };
  expect(problemsOf(files)).toEqual([
    "docs/adr/0001-one.md needs its number in its title, as in its name",
    "docs/adr/0001-one.md needs a status",
    "docs/adr/0001-one.md needs a date",
    "docs/adr/0001-one.md has another status in docs/adr/README.md",
  ]);
});

test("every behaviour document is linked from an index", () => {
  expect(problemsOf({ ...described, "docs/behaviour/pages.md": "# Pages\n" })).toEqual([
    "docs/behaviour/pages.md is linked from none of README.md, docs/README.md, docs/behaviour/README.md",
  ]);
});
