import { expect, test } from "vitest";
import { readSettings, SettingsError } from "./settings.js";

const DEFAULTS = { root: "", readme: "README.md", summary: "SUMMARY.md", redirects: {} };
const problemsOf = (source: string): string[] => {
  try {
    readSettings(source);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as SettingsError).problems.map(({ line, message }) => `${line}: ${message}`);
  }
  throw new Error("no problem found");
};

test("readSettings of nothing gives the defaults", () => {
  for (const source of [undefined, "", "\uFEFF# only a comment\n", "unknown: 1\n"]) {
    expect(readSettings(source)).toEqual(DEFAULTS);
  }
});

test("readSettings reads root, structure and redirects as clean relative paths", () => {
  const source = `root: ./docs/en/
structure:
  readme: ./intro.md
  summary: nav/../TOC.md
redirects:
  /old/page: ./new/page.md
  help: support.md#faq
`;
  expect(readSettings(source)).toEqual({
    root: "docs/en",
    readme: "intro.md",
    summary: "TOC.md",
    redirects: { "old/page": "new/page.md", help: "support.md#faq" },
  });
});

test("readSettings reports every problem with its line", () => {
  const source = `root: /etc
structure:
  readme: ../../secret.md
  summary: 5
redirects:
  a: https://example.com
  b: ../../b.md
`;
  expect(problemsOf(source)).toEqual([
    '1: root: "/etc" must be relative',
    '3: structure.readme: "../../secret.md" leaves the repository\'s folder',
    "4: structure.summary: must be a path",
    '6: redirects.a: "https://example.com" must be a path, not an address',
    '7: redirects.b: "../../b.md" leaves the repository\'s folder',
  ]);
});

test.each([
  ["broken YAML", "root: a: b", /not valid YAML/],
  ["a list", "- root", /the file must be a map/],
  ["a text", "root", /the file must be a map/],
  ["a wrong structure", "structure: []", /structure must be a map/],
  ["a folder for a file", "structure:\n  readme: ./", /names a folder/],
  ["endless nesting", "[".repeat(100_000), /nested too deeply/],
  [
    "an alias bomb",
    `a: &a [x,x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e"].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcd"[index]}`).join(",")}]`).join("\n")}`,
    /not usable YAML/,
  ],
])("readSettings refuses %s", (_, source, message) => {
  expect(problemsOf(source)[0]).toMatch(message);
});
