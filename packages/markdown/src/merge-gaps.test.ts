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
