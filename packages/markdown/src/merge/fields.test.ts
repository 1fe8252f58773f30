import { expect, test } from "vitest";
import { parse } from "yaml";
import { pick, type Random, seeded } from "../testing/random.js";
import { mergeFields, takeFields } from "./fields.js";

const NAMES = ["a", "b", "c", "vars.x", "vars.y", "vars.z"];
/** The values of the fields that are there; `vars.x` is the field `x` inside `vars`. */
type Values = Record<string, number>;
/** How the frontmatter of all versions is written. */
interface Spelling {
  quote: string;
  comment: string;
  behind: string;
}

const VALUES = [" one", "\n  - two", "\n- three", " |\n  four: five", "\n\n  six"];

function randomValues(random: Random, before: Values, chance: number): Values {
  const values = { ...before };
  for (const name of NAMES) {
    if (random() >= chance) continue;
    if (random() < 0.3) delete values[name];
    else values[name] = Math.floor(random() * VALUES.length);
  }
  return values;
}

/** The frontmatter with these values, with line ends and an indentation of its own; "" without any. */
function frontOf(values: Values, { quote, comment, behind }: Spelling, end: string, indent: string): string {
  const field = (name: string) => `${comment}${quote}${name}${quote}${behind}:${VALUES[values[name]!]}\n`;
  const inner = NAMES.filter((name) => name.startsWith("vars.") && values[name] !== undefined).map(
    (name) => `${indent}# Inside\n\n${indent}${name.slice(5)}: ${values[name]}\n`,
  );
  const texts = [..."abc"].filter((name) => values[name] !== undefined).map(field);
  if (inner.length > 0) texts.push(`# About vars\nvars:${behind}\n${inner.join("")}`);
  return texts.length === 0 ? "" : `---\n${texts.join("")}---\n`.replaceAll("\n", end);
}

/** The values of a frontmatter, as a parser of YAML reads it. */
const read = (front: string) => parse(front.replaceAll(/---\r?\n/g, "")) ?? {};

/** The fields that are compared with each other: those inside `vars` one by one where both sides have some. */
function unitsOf(...sides: Values[]): string[][] {
  const inner = NAMES.filter((name) => name.startsWith("vars."));
  const holds = (side: Values) => inner.some((name) => side[name] !== undefined);
  return [["a"], ["b"], ["c"], ...(sides.every(holds) ? inner.map((name) => [name]) : [inner])];
}

const spellings = (random: Random): Spelling => ({
  quote: pick(random, ["", "'", '"']),
  comment: pick(random, ["", "# Said: of it\n", "\n", "# Two\n# lines\n"]),
  behind: pick(random, ["", " "]),
});

test("frontmatter merges field by field, however it is written, and the same when the sides change places", () => {
  const random = seeded(51);
  const rounds = { merged: 0, conflicts: 0 };
  for (let round = 0; round < 1500; round += 1) {
    const spelling = spellings(random);
    const write = (values: Values) =>
      frontOf(values, spelling, pick(random, ["\n", "\r\n"]), pick(random, ["  ", "    "]));
    const base = randomValues(random, {}, 0.8);
    const [ours, theirs] = [randomValues(random, base, 0.25), randomValues(random, base, 0.25)];
    const expected: Values = {};
    const disputed = new Set<string>();
    for (const names of unitsOf(ours, theirs)) {
      const of = (side: Values) => JSON.stringify(names.map((name) => side[name]));
      const isOurs = of(ours) !== of(base);
      if (isOurs && of(theirs) !== of(base) && of(ours) !== of(theirs))
        disputed.add(names[0]!.split(".")[0]!);
      for (const name of names) {
        const value = (isOurs ? ours : theirs)[name];
        if (value !== undefined) expected[name] = value;
      }
    }
    const isRemoved = !NAMES.some(
      (name) => name.startsWith("vars.") && (ours[name] ?? theirs[name]) !== undefined,
    );
    const sides = { base: write(base), ours: write(ours), theirs: write(theirs) };
    if (unitsOf(ours, theirs).length === 4 && !isRemoved) {
      // A side without it is compared with how the other wrote it, too.
      for (const side of ["base", "ours", "theirs"] as const)
        sides[side] = frontOf({ base, ours, theirs }[side], spelling, "\n", "  ");
    }
    const { text, conflicts } = mergeFields(sides);
    const swapped = mergeFields({ ...sides, ours: sides.theirs, theirs: sides.ours });
    expect(new Set(conflicts.map(({ field }) => field)), JSON.stringify(sides)).toEqual(disputed);
    if (disputed.size > 0) {
      rounds.conflicts += 1;
      continue;
    }
    rounds.merged += 1;
    expect(swapped.text).toBe(text);
    expect(read(text), JSON.stringify({ sides, text })).toEqual(
      read(frontOf(expected, spelling, "\n", "  ")),
    );
  }
  expect(Math.min(rounds.merged, rounds.conflicts)).toBeGreaterThan(150);
});

test("a base takes the fields of ours that are in conflict and were changed in the wanted text", () => {
  const random = seeded(52);
  let taken = 0;
  for (let round = 0; round < 1500; round += 1) {
    const spelling = spellings(random);
    const write = (values: Values) => frontOf(values, spelling, "\n", "  ");
    const base = randomValues(random, {}, 0.8);
    const [ours, theirs] = [randomValues(random, base, 0.3), randomValues(random, base, 0.3)];
    const wanted = random() < 0.8 ? randomValues(random, theirs, 0.5) : undefined;
    const expected = { ...base };
    for (const names of unitsOf(ours, theirs)) {
      const of = (side: Values) => JSON.stringify(names.map((name) => side[name]));
      if (of(ours) === of(base) || of(theirs) === of(base) || of(ours) === of(theirs)) continue;
      if (wanted && of(wanted) === of(theirs)) continue;
      taken += 1;
      for (const name of names) {
        delete expected[name];
        if (ours[name] !== undefined) expected[name] = ours[name];
      }
    }
    const sides = { base: write(base), ours: write(ours), theirs: write(theirs) };
    const result = takeFields(sides, wanted && write(wanted));
    expect(read(result), JSON.stringify({ sides, wanted, result })).toEqual(read(write(expected)));
  }
  expect(taken).toBeGreaterThan(150);
});

const front = (...lines: string[]) => `---\n${lines.join("\n")}\n---\n`;
const [readable, other, third] = [front("a: 1"), front("a: 2"), front("a: 3")];

test.each([
  ["that names a field twice", front("a: 1", "b: 1", "a: 2")],
  ["that begins with an item", front("- a")],
  ["that begins with a text", front("  a")],
  ["that is no list of fields", front("a: 1", "b")],
  ["that is a comment alone", front("# a")],
  ["of flow style", front("{ a: 1 }")],
])("frontmatter %s is merged and decided as a whole", (_, whole) => {
  const conflict = { base: readable, ours: whole, theirs: other };
  expect(mergeFields(conflict)).toEqual({ text: "", conflicts: [conflict] });
  for (const [name, version] of [
    ["base", { base: whole, ours: readable, theirs: other }],
    ["theirs", { base: readable, ours: other, theirs: whole }],
  ] as const) {
    expect(mergeFields(version).conflicts, name).toEqual([version]);
    expect(takeFields(version), name).toBe(version.ours);
  }
  expect(takeFields(conflict)).toBe(whole);
  expect(takeFields(conflict, third)).toBe(whole);
  expect(takeFields(conflict, other)).toBe(readable);
  for (const [base, ours, theirs, merged] of [
    [whole, whole, other, other],
    [whole, other, whole, other],
    [other, whole, whole, whole],
  ] as const) {
    expect(mergeFields({ base, ours, theirs })).toEqual({ text: merged, conflicts: [] });
    expect(takeFields({ base, ours, theirs }, third)).toBe(base);
    expect(takeFields({ base, ours, theirs })).toBe(base);
  }
});

test("frontmatter that one side removed is gone when nothing is left, and stays with what the other added", () => {
  const empty = "---\n---\n";
  for (const [theirs, text] of [
    [empty, ""],
    [front("a: 1", "b: 2"), front("b: 2")],
  ] as const) {
    expect(mergeFields({ base: readable, ours: "", theirs })).toEqual({ text, conflicts: [] });
    expect(mergeFields({ base: readable, ours: theirs, theirs: "" })).toEqual({ text, conflicts: [] });
  }
  const [ours, theirs] = [front("b: 2"), front("a: 1")];
  expect(mergeFields({ base: front("a: 1", "b: 2"), ours, theirs })).toEqual({ text: empty, conflicts: [] });
});

test.each([
  ["another line above them", ["vars: # why", "  a: 2", "  b: 1"]],
  ["less indentation further down", ["vars:", "    a: 2", "  b: 1"]],
  ["a field twice", ["vars:", "  a: 2", "  a: 1", "  b: 1"]],
])("fields inside a field with %s are one with it", (_, lines) => {
  const base = front("vars:", "  a: 1", "  b: 1");
  const theirs = front("vars:", "  a: 1", "  b: 1", "  c: 3");
  for (const sides of [
    { base, ours: front(...lines), theirs },
    { base, ours: theirs, theirs: front(...lines) },
    { base: front(...lines), ours: base, theirs },
  ])
    expect(mergeFields(sides).conflicts).toMatchObject([{ field: "vars" }]);
});

test("fields that both sides put into one that was none before merge one by one", () => {
  const [ours, theirs] = [front("vars:", "  a: 1", "  b: 2"), front("vars:", "  a: 1", "  c: 3")];
  for (const base of [front("vars: 1"), front("vars:", "- 1")])
    expect(mergeFields({ base, ours, theirs }).conflicts).toMatchObject([{ field: "vars" }]);
  const text = front("vars:", "  a: 1", "  b: 2", "  c: 3");
  expect(mergeFields({ base: "", ours, theirs })).toEqual({ text, conflicts: [] });
  expect(takeFields({ base: "", ours, theirs: front("vars:", "  a: 2", "  c: 3") })).toBe(
    front("vars:", "  a: 1"),
  );
});

test("fields inside a field keep the blank lines and comments between them", () => {
  const vars = (a: number, b: number) =>
    front("vars:", `  a: ${a}`, "", "  # Said of b", "", `  b: ${b}`, "c: 1");
  const sides = { base: vars(1, 1), ours: vars(2, 1), theirs: vars(1, 2) };
  expect(mergeFields(sides)).toEqual({ text: vars(2, 2), conflicts: [] });
});

test("the base stays as it is written where nothing is decided", () => {
  const base = front("b: 1", "a: 1", "vars:", "    y: 1", "    x: 1");
  const sides = { base, ours: front("a: 2", "vars:", "  x: 2", "b: 1"), theirs: front("b: 1", "a: 3") };
  expect(takeFields(sides, sides.theirs)).toBe(base);
  const inside = { ...sides, theirs: front("b: 1", "a: 1", "vars:", "    x: 3", "    y: 1") };
  expect(takeFields(inside, inside.theirs)).toBe(base);
});

test("what is wanted in place of frontmatter that is no list of fields is another text in each", () => {
  const sides = { base: readable, ours: other, theirs: third };
  expect(takeFields(sides, front("- a"))).toBe(other);
  expect(takeFields({ base: "", ours: other, theirs: third }, third)).toBe("");
  const vars = (value: string) => front("vars:", `  a: ${value}`);
  expect(takeFields({ base: vars("1"), ours: vars("2"), theirs: vars("3") }, front("vars: none"))).toBe(
    vars("2"),
  );
});

test("lines of a text that look like comments stay with its field when both sides put others below it", () => {
  const text = ["b: |", "  one", "  # two", "", "  # three"];
  const [base, ours, theirs] = [[], ["d: 1"], ["e: 1"]].map((added) => front(...text, ...added, "c: 1"));
  const merged = { text: front(...text, "c: 1", "d: 1", "e: 1"), conflicts: [] };
  expect(mergeFields({ base: base!, ours: ours!, theirs: theirs! })).toEqual(merged);
});
