import { expect, test } from "vitest";
import { splitBlocks } from "../blocks/blocks.js";
import { many, pick, type Random, randomPage, randomText, seeded } from "../testing/random.js";
import { workOf } from "../testing/work.js";
import { mergeMarkdown } from "./merge.js";

const merged = (base: string, ours: string, theirs: string): string | undefined => {
  const result = mergeMarkdown({ base, ours, theirs });
  return result.conflict ? undefined : result.markdown;
};

test.each([
  ["edits of different blocks", "A\n\nB\n\nC\n", "A1\n\nB\n\nC\n", "A\n\nB\n\nC2\n", "A1\n\nB\n\nC2\n"],
  ["edits of neighbours", "A\n\nB\n", "A1\n\nB\n", "A\n\nB2\n", "A1\n\nB2\n"],
  ["the same edit", "A\n\nB\n", "A1\n\nB\n", "A1\n\nB\n\nC\n", "A1\n\nB\n\nC\n"],
  ["an edit and a block behind it", "A\n\nB", "A\n\nB1", "A\n\nB\n\nC\n", "A\n\nB1\n\nC\n"],
  [
    "a removal and an insertion elsewhere",
    "A\n\nB\n\nC\n",
    "B\n\nC\n",
    "A\n\nB\n\nX\n\nC\n",
    "B\n\nX\n\nC\n",
  ],
  ["insertions at both ends", "B\n", "A\n\nB\n", "B\n\nC\n", "A\n\nB\n\nC\n"],
  [
    "insertions at both sides of a removed block",
    "A\n\nB\n\nC\n",
    "A\n\nC\n",
    "A\n\nX\n\nB\n\nC\n",
    "A\n\nX\n\nC\n",
  ],
  ["the same block removed", "A\n\nB\n\nC\n", "A\n\nC\n", "A\n\nC\n\nD\n", "A\n\nC\n\nD\n"],
  [
    "neighbours of which each became two",
    "A\n\nB\n",
    "A1\n\nA2\n\nB\n",
    "A\n\nB1\n\nB2\n",
    "A1\n\nA2\n\nB1\n\nB2\n",
  ],
  ["blank lines and an edit", "A\n\nB\n\nC", "A\n\n\n\nB\n\nC", "A\n\nB\n\nC1\n", "A\n\n\n\nB\n\nC1\n"],
  ["Windows line ends and an edit", "A\na\n\nB\n", "A\r\na\r\n\r\nB\r\n", "A\na\n\nB1\n", "A\r\na\n\nB1\n"],
  ["the same page written anew on an empty one", "", "A\n", "A\n", "A\n"],
])("mergeMarkdown combines %s", (_, base, ours, theirs, result) => {
  expect(merged(base, ours, theirs)).toBe(result);
  expect(merged(base, theirs, ours)).toBe(result);
});

const front = (...lines: string[]) => `---\n${lines.join("\n")}\n---\n\nText\n`;

test.each([
  [
    "fields inside a field",
    front("layout:", "  width: default", "  cover:", "    visible: true", "    size: hero", "icon: gear"),
    front("layout:", "  width: wide", "  cover:", "    visible: true", "    size: full", "icon: gear"),
    front("layout:", "  width: default", "  cover:", "    visible: false", "    size: hero", "icon: star"),
    front("layout:", "  width: wide", "  cover:", "    visible: false", "    size: full", "icon: star"),
  ],
  [
    "fields that both put into one",
    front("vars:", "  a: 1"),
    front("vars:", "  a: 1", "  b: 2"),
    front("# Said of all", "vars:", "  c: 3"),
    undefined,
  ],
  [
    "a new field from each side",
    front("a: 1"),
    front("a: 1", "vars:", "  b: 2"),
    front("a: 1", "vars:", "  c: 3"),
    front("a: 1", "vars:", "  b: 2", "  c: 3"),
  ],
  [
    "a field that one side emptied",
    front("vars:", "  a: 1", "  b: 2"),
    front("vars:", "  b: 2"),
    front("vars:", "  a: 1"),
    front("").replace("\n\n---", "\n---"),
  ],
])("mergeMarkdown combines %s of the frontmatter", (_, base, ours, theirs, result) => {
  expect(merged(base, ours, theirs)).toBe(result);
  expect(merged(base, theirs, ours)).toBe(result);
});

test("the same field inside a field is a conflict about the whole, as is what is no list of fields", () => {
  const [base, ours, theirs] = [1, 2, 3].map((width) =>
    front("layout:", `  width: ${width}`, "  title: true"),
  );
  for (const other of [theirs!, front("layout: {width: 3}"), front("layout:", "- 3")])
    expect(mergeMarkdown({ base: base!, ours: ours!, theirs: other })).toMatchObject({
      conflicts: [{ field: "layout", ours: "layout:\n  width: 2\n  title: true\n" }],
    });
});

test.each([
  [
    "two edits of a block",
    "A\n\nB\n",
    "A1\n\nB\n",
    "A2\n\nB\n",
    { base: "A\n\n", ours: "A1\n\n", theirs: "A2\n\n" },
  ],
  ["an edit and a removal", "A\n\nB\n", "A\n", "A\n\nB2\n", { base: "B\n", ours: "", theirs: "B2\n" }],
  [
    "two insertions at one place",
    "A\n\nB\n",
    "A\n\nX\n\nB\n",
    "A\n\nY\n\nB\n",
    { base: "", ours: "X\n\n", theirs: "Y\n\n" },
  ],
  [
    "two insertions at the start",
    "A\n",
    "X\n\nA\n",
    "Y\n\nZ\n\n\nA\n",
    { base: "", ours: "X\n\n", theirs: "Y\n\nZ\n\n\n" },
  ],
  [
    "an insertion beside a block that became two",
    "A\n\nB\n",
    "A\n\nX\n\nB\n",
    "A\n\nB1\n\nB2\n",
    { base: "B\n", ours: "X\n\nB\n", theirs: "B1\n\nB2\n" },
  ],
  [
    "an insertion into what was removed",
    "A\n\nB\n\n\nC\n",
    "A\n\nB\n\nX\n\n\nC\n",
    "D\n",
    { base: "A\n\nB\n\n\nC\n", ours: "A\n\nB\n\nX\n\n\nC\n", theirs: "D\n" },
  ],
  ["two pages written on an empty one", "", "A\n", "B\n", { base: "", ours: "A\n", theirs: "B\n" }],
])("mergeMarkdown reports %s as a conflict", (_, base, ours, theirs, conflict) => {
  expect(mergeMarkdown({ base, ours, theirs })).toEqual({ conflict: true, conflicts: [conflict] });
});

test("mergeMarkdown reports every conflict, not only the first", () => {
  const result = mergeMarkdown({ base: "A\n\nB\n\nC\n", ours: "A1\n\nB\n\nC1\n", theirs: "A2\n\nB\n\nC2\n" });
  expect(result.conflict && result.conflicts.map(({ base }) => base)).toEqual(["A\n\n", "C\n"]);
});

test("mergeMarkdown merges the frontmatter field by field", () => {
  const base = "---\ntitle: a\nicon: x # why\nvars:\n  a: 1\n---\n\n# T\n";
  const ours = base.replace("title: a", "title: b").replace("  a: 1\n", "  a: 1\nhidden: true\n");
  const theirs = base.replace("icon: x", "icon: y").replace("# T", "# U");
  const result = "---\ntitle: b\nicon: y # why\nvars:\n  a: 1\nhidden: true\n---\n\n# U\n";
  expect(merged(base, ours, theirs)).toBe(result);
  expect(merged(base, theirs, ours)).toBe(result);
});

test("mergeMarkdown combines fields both sides added and reports a field both changed", () => {
  expect(merged("# T\n", "---\nicon: x\n---\n\n# T\n", "---\nhidden: true\n---\n\n# T\n")).toBe(
    "---\nhidden: true\nicon: x\n---\n\n# T\n",
  );
  const result = mergeMarkdown({
    base: "---\nicon: x\n---\nB",
    ours: "---\nicon: y\n---\nB",
    theirs: "---\nicon: z\n---\nB1",
  });
  expect(result).toEqual({
    conflict: true,
    conflicts: [{ field: "icon", base: "icon: x\n", ours: "icon: y\n", theirs: "icon: z\n" }],
  });
});

/** The page with some of its blocks changed, removed, or new ones put in. */
function edited(random: Random, page: string, mark: string): string {
  return splitBlocks(page)
    .flatMap((block) => {
      const chance = random();
      if (chance < 0.1) return [];
      if (chance < 0.2) return [`${mark} ${many(random, 2, () => "words").join(" ")}\n\n`];
      if (chance < 0.3) return [`${mark} new\n\n`, block];
      return [block];
    })
    .join("");
}

test("mergeMarkdown with one side unchanged is the other side, byte for byte", () => {
  const random = seeded(8);
  for (let round = 0; round < 1000; round += 1) {
    const base = random() < 0.5 ? randomPage(random) : randomText(random);
    const side = random() < 0.5 ? edited(random, base, "ours") : randomText(random);
    expect(merged(base, side, base)).toBe(side);
    expect(merged(base, base, side)).toBe(side);
    expect(merged(base, side, side)).toBe(side);
  }
});

test("mergeMarkdown is the same when the sides change places, and never throws", () => {
  const random = seeded(9);
  for (let round = 0; round < 1500; round += 1) {
    const base = random() < 0.6 ? randomPage(random) : randomText(random);
    const side = (mark: string) => (random() < 0.8 ? edited(random, base, mark) : randomText(random));
    const [ours, theirs] = [side("ours"), side("theirs")];
    const one = mergeMarkdown({ base, ours, theirs });
    const two = mergeMarkdown({ base, ours: theirs, theirs: ours });
    expect(two.conflict).toBe(one.conflict);
    if (!one.conflict && !two.conflict) expect(two.markdown).toBe(one.markdown);
    if (one.conflict && two.conflict) {
      expect(two.conflicts.map(({ ours, theirs }) => [theirs, ours])).toEqual(
        one.conflicts.map(({ ours, theirs }) => [ours, theirs]),
      );
    }
  }
});

test("mergeMarkdown keeps what either side wrote into different blocks", () => {
  const random = seeded(10);
  for (let round = 0; round < 500; round += 1) {
    const blocks = Array.from({ length: 12 }, (_, index) => `Block ${index} ${pick(random, ["a", "b"])}`);
    const page = (change: Record<number, string>) =>
      blocks.map((block, index) => change[index] ?? block).join("\n\n");
    const first = Math.floor(random() * 12);
    const second = (first + 1 + Math.floor(random() * 11)) % 12;
    const result = merged(page({}), page({ [first]: "Ours" }), page({ [second]: "Theirs" }));
    expect(result).toBe(page({ [first]: "Ours", [second]: "Theirs" }));
  }
});

test("mergeMarkdown of long pages takes block by block what both sides changed between each other", () => {
  const base: string[] = Array.from({ length: 1_001 }, (_, index) => (index % 2 ? "odd" : "even"));
  const page = (blocks: string[]) => `${blocks.join("\n\n")}\n`;
  const ours = base.map((block) => (block === "even" ? "other" : block));
  expect(merged(page(base), page(ours), page(base.with(501, "New")))).toBe(page(ours.with(501, "New")));
  expect(merged(page(base), page(ours), page(base.with(500, "New")))).toBeUndefined();
});

test.each([
  ["all different", (index: number, side: string) => `${side} ${index}`],
  ["many alike", (index: number, side: string) => (index % 2 ? "same" : `${side} ${index % 50}`)],
])("mergeMarkdown of 20,000 blocks, %s, is work in proportion to their number", (_, block) => {
  const page = (side: string) =>
    Array.from({ length: 20_000 }, (_, index) => block(index, side)).join("\n\n");
  const sides = { base: page("base"), ours: page("ours"), theirs: page("theirs") };
  expect(workOf(() => mergeMarkdown(sides))).toBeLessThan(1_000 * 20_000);
});
