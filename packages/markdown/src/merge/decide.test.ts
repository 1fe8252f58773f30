import { expect, test } from "vitest";
import { pick, type Random, randomPage, randomText, seeded } from "../testing/random.js";
import { decideConflicts } from "./decide.js";
import { mergeMarkdown } from "./merge.js";

const page = (...blocks: string[]) => `${blocks.join("\n\n")}\n`;
const base = page("One", "Two", "Three", "Four");
const ours = page("Uno", "Two", "Tres", "Four!");
const theirs = page("Eins", "Two", "Drei", "Four");

test("a base takes ours where the wanted text is new, and is as before everywhere else", () => {
  const wanted = page("Eins, uno", "Two", "Drei", "Four");
  const decided = decideConflicts({ base, ours, theirs }, wanted);
  expect(decided).toBe(page("Uno", "Two", "Three", "Four"));
  expect(mergeMarkdown({ base: decided, ours, theirs: wanted })).toMatchObject({
    conflicts: [{ base: "Three\n\n", ours: "Tres\n\n", theirs: "Drei\n\n" }],
  });
});

test.each([
  ["nothing", theirs],
  ["another block", page("Eins", "Zwei", "Drei", "Four")],
  ["what comes beside it", page("Eins", "Between", "Two", "Drei", "Between", "Four")],
])("a text that changes %s decides no conflict", (_, wanted) => {
  expect(decideConflicts({ base, ours, theirs }, wanted)).toBe(base);
});

test("what was removed is decided by what is put in its place", () => {
  const removed = page("Two", "Three", "Four");
  const versions = { base, ours: page("Uno", "Two", "Three", "Four"), theirs: removed };
  expect(decideConflicts(versions, page("Both", "Two", "Three", "Four"))).toBe(versions.ours);
  expect(decideConflicts(versions, page("Two", "Three", "Vier"))).toBe(base);
  expect(decideConflicts(versions, page("Two", "Three", "Four", "Five"))).toBe(base);
});

test("what was removed is not decided by an edit of a neighbour", () => {
  const versions = { base, ours: page("One", "Dos", "Three", "Four"), theirs: page("One", "Three", "Four") };
  expect(decideConflicts(versions, page("One", "Drei", "Four"))).toBe(base);
  expect(decideConflicts(versions, page("Eins", "Three", "Four"))).toBe(base);
  expect(decideConflicts(versions, page("One", "Zwei", "Drei", "Four"))).toBe(versions.ours);
});

test.each([
  ["before", ["Uno", "Eins", "Two", "Tres", "Drei"]],
  ["behind", ["Eins", "Uno", "Two", "Drei", "Tres"]],
])("a text that has both decides: ours %s theirs", (_, blocks) => {
  const wanted = page(...blocks, "Four");
  const decided = decideConflicts({ base, ours, theirs }, wanted);
  expect(decided).toBe(page("Uno", "Two", "Tres", "Four"));
  expect(mergeMarkdown({ base: decided, ours, theirs: wanted })).toEqual({
    markdown: page(...blocks, "Four!"),
  });
});

test("blocks side by side are decided by a text that has all of both", () => {
  const versions = { base: page("A", "B"), ours: page("A1", "B1"), theirs: page("A2", "B2") };
  for (const blocks of [
    ["A1", "B1", "A2", "B2"],
    ["A2", "B2", "A1", "B1"],
  ])
    expect(decideConflicts(versions, page(...blocks))).toBe(versions.ours);
  expect(decideConflicts(versions, page("A2", "B2", "B1"))).toBe(page("A", "B1"));
});

test("what is new in ours decides when all of it was added, whatever stood there before", () => {
  const versions = { base: page("A", "B", "C"), ours: page("A1", "B", "C1"), theirs: page("T") };
  expect(decideConflicts(versions, page("T", "A1", "C1"))).toBe(versions.ours);
  expect(decideConflicts(versions, page("T", "A1"))).toBe(versions.base);
});

test("what ours removed is not decided by an addition elsewhere", () => {
  const versions = { base: page("A", "B", "C"), ours: page("B", "C"), theirs: page("A2", "B", "C") };
  expect(decideConflicts(versions, page("A2", "B", "C", "New"))).toBe(versions.base);
});

test("a base keeps its blank space where nothing is decided", () => {
  const text = (first: string, last: string) => `\n${first}\n\n\nTwo\n\n\n\nThree\n***\n${last}\n\n`;
  const versions = { base: text("A", "B"), ours: text("A1", "B1"), theirs: text("A2", "B2") };
  expect(decideConflicts(versions, text("A3", "B2"))).toMatch(/^\nA1\n+Two\n\n\n\nThree\n\*\*\*\nB\n\n$/);
});

test("fields of the frontmatter are decided one by one", () => {
  const front = (icon: string, emoji: string) => `---\nicon: ${icon}\nemoji: ${emoji}\n---\n\n# T\n`;
  const versions = { base: front("a", "1"), ours: front("b", "2"), theirs: front("c", "3") };
  expect(decideConflicts(versions, front("d", "3"))).toBe(front("b", "1"));
  expect(decideConflicts(versions)).toBe(versions.ours);
});

test("fields inside a field are decided one by one, and what does not conflict keeps its base", () => {
  const front = (a: string, b: string, c: string) =>
    `---\nvars:\n  a: ${a}\n  b: ${b}\n  c: ${c}\nicon: x\n---\n\n# T\n`;
  const versions = { base: front("1", "2", "3"), ours: front("I", "2", "III"), theirs: front("i", "2", "3") };
  expect(decideConflicts(versions)).toBe(front("I", "2", "3"));
  expect(decideConflicts(versions, front("one", "2", "3"))).toBe(front("I", "2", "3"));
  expect(decideConflicts(versions, front("i", "two", "3"))).toBe(versions.base);
  const base = decideConflicts(versions);
  expect(mergeMarkdown({ ...versions, base })).toEqual({ markdown: front("i", "2", "III") });
});

test("with all conflicts decided theirs stands in their places, and what only ours changed comes in", () => {
  const decided = decideConflicts({ base, ours, theirs });
  expect(mergeMarkdown({ base: decided, ours, theirs })).toEqual({
    markdown: page("Eins", "Two", "Drei", "Four!"),
  });
});

/** Some of the numbered blocks changed, removed, moved, or with others before them. */
function edited(random: Random, blocks: string[], mark: string): string[] {
  return blocks.flatMap((block) => {
    const chance = random();
    if (chance < 0.1) return [];
    if (chance < 0.25) return [`${mark} ${block}`];
    if (chance < 0.35) return [`${mark} before ${block}`, block];
    return [block];
  });
}

test("deciding all conflicts turn by turn ends, and loses nothing that was not decided", () => {
  const random = seeded(31);
  for (let round = 0; round < 1000; round += 1) {
    const blocks = Array.from({ length: 10 }, (_, index) => `Block ${index}`);
    const [one, two] = [edited(random, blocks, "Ours"), edited(random, blocks, "Theirs")];
    const versions = { base: page(...blocks), ours: page(...one), theirs: page(...two) };
    const { markdown, disputed } = decidedTurnByTurn(versions);
    for (const block of one.filter((block) => block.startsWith("Ours") && !disputed.includes(block)))
      expect(markdown).toContain(block);
    for (const block of two.filter((block) => block.startsWith("Theirs"))) expect(markdown).toContain(block);
  }
});

test("deciding the conflicts of any texts ends", () => {
  const random = seeded(32);
  const any = () => (random() < 0.5 ? randomPage(random) : randomText(random));
  for (let round = 0; round < 1000; round += 1) {
    const shared = any();
    const side = () => pick(random, [any(), `${shared}\n\n${any()}`, `${any()}\n\n${shared}`]);
    const versions = { base: shared, ours: side(), theirs: side() };
    decidedTurnByTurn(versions);
    decideConflicts(versions, any());
  }
});

/** The merge when theirs is confirmed for as long as something is in conflict, and all of ours that was. */
function decidedTurnByTurn(versions: { base: string; ours: string; theirs: string }) {
  let { base } = versions;
  let disputed = "";
  for (let turn = 0; turn < 5; turn += 1) {
    const result = mergeMarkdown({ ...versions, base });
    if (!result.conflict) return { markdown: result.markdown, disputed };
    disputed += result.conflicts.map(({ ours }) => ours).join("");
    base = decideConflicts({ ...versions, base });
  }
  throw new Error(`still in conflict: ${JSON.stringify({ ...versions, base })}`);
}
