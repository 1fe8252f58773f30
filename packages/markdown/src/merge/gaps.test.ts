import { expect, test } from "vitest";
import { mergeMarkdown } from "./merge.js";

// The blank space between blocks is that of the version that has them side by side.

/** The merged page; undefined for one in conflict. */
function merge(base: string, ours: string, theirs: string): string | undefined {
  const merged = mergeMarkdown({ base, ours, theirs });
  return merged.conflict ? undefined : merged.markdown;
}

test("blocks that one side inserts keep the blank lines between them", () => {
  const base = "# A\n\nLast\n";
  const ours = "# A\n\nOne\n\n\nTwo\n\n\n\nThree\n\nLast\n";
  expect(merge(base, ours, "# A\n\nLast, theirs\n")).toBe(
    "# A\n\nOne\n\n\nTwo\n\n\n\nThree\n\nLast, theirs\n",
  );
});

test("blocks that both sides insert alike keep the blank lines between them", () => {
  const base = "# A\n\nIntro\n\nMiddle\n\nLast\n";
  const both = "# A\n\nIntro\n\nOne\n\n\nTwo\n\n\n\nThree\n\nMiddle\n\nLast\n";
  const theirs = both.replace("Last", "Last, theirs");
  expect(merge(base, both.replace("# A", "# B"), theirs)).toBe(theirs.replace("# A", "# B"));
});

test.each([
  ["\n", "A\n\nB\n\nC\n", "B\n\nC\n", "A\n\nC\n", "C\n"],
  [
    "\r\n",
    "A\r\n\r\nB\r\n\r\nC\r\n\r\nD\r\n",
    "A\r\n\r\nC\r\n\r\nD\r\n",
    "A\r\n\r\nB\r\n\r\nD\r\n",
    "A\r\n\r\nD\r\n",
  ],
])("blocks that no version has side by side get the page's own blank line between them: %j", (...pages) => {
  const [, base, ours, theirs, merged] = pages;
  expect(merge(base, ours, theirs)).toBe(merged);
});

test("fields keep the order of the side that changed it", () => {
  const base = "---\nb: 1\na: 2\n---\n\nText\n";
  const moved = "---\na: 2\nb: 1\n---\n\nText\n";
  const changed = base.replace("b: 1", "b: 3");
  expect(merge(base, moved, changed)).toBe("---\na: 2\nb: 3\n---\n\nText\n");
  expect(merge(base, changed, moved)).toBe("---\na: 2\nb: 3\n---\n\nText\n");
});

test("frontmatter that names a field twice is not merged field by field", () => {
  const twice = "---\na: 1\na: 2\n---\n\nText\n";
  expect(merge("---\na: 1\n---\n\nText\n", twice, "---\na: 3\n---\n\nText\n")).toBeUndefined();
});

test("a comment behind the last field stays when both sides change fields", () => {
  const page = (a: number, b: number) => `---\na: ${a}\nb: ${b}\n# End\n---\n\nText\n`;
  expect(merge(page(1, 1), page(1, 2), page(3, 1))).toBe(page(3, 2));
});

test.each([
  ["at the end", "A\n\nB\n\nC\n", "A\n\nB\n", "A\n\nC\n", "A\n"],
  ["at the start", "\n\nA\n\nB\n\nC\n", "\n\nB\n\nC\n", "\n\nA\n\nC\n", "\n\nC\n"],
  ["before a block that comes first now", "A\n", "X\n\nA\n", "\nA\n", "X\n\nA\n"],
  ["that both changed", "A\n\nB\n", "A\n\n\nB\n", "A\n\n\n\nB\n", "A\n\n\n\nB\n"],
  ["that both changed to as much", "A\n\nB\n", "A\n \nB\n", "A\n\t\nB\n", "A\n \nB\n"],
  ["of a page that had nothing else", "\n\n", "A\n", "\n\n\n", "A\n"],
])("blank space %s is that of the side that changed it", (_, base, ours, theirs, merged) => {
  expect(merge(base, ours, theirs)).toBe(merged);
  expect(merge(base, theirs, ours)).toBe(merged);
});

test("a new blank line is one of Windows where most of the versions have its line ends", () => {
  const windows = (page: string) => page.replaceAll("\n", "\r\n");
  const [base, ours, theirs] = ["A\n\nB\n\nC\n\nD\n", "A\n\nC\n\nD\n", "A\n\nB\n\nD\n"];
  expect(merge(base, ours, theirs)).toBe("A\n\nD\n");
  expect(merge(base, windows(ours), theirs)).toContain("A\n\nD");
  expect(merge(base, windows(ours), windows(theirs))).toBe("A\r\n\r\nD\r\n");
  expect(merge(windows(base), ours, windows(theirs))).toContain("A\r\n\r\nD");
});

test("a block of several lines whose line ends alone were changed can be edited by the other side", () => {
  const base = "A\na\n\nB\n";
  for (const end of ["\r\n", "\r"])
    expect(merge(base, base.replaceAll("\n", end), "A\na1\n\nB\n")).toMatch(/^A\na1\s+B\s+$/);
});
