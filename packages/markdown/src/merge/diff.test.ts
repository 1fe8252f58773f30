import { expect, test } from "vitest";
import { many, pick, seeded } from "../testing/random.js";
import { diff } from "./diff.js";

test("diff names what was inserted, removed and replaced", () => {
  expect(diff([..."abcdef"], [..."axcdzzf"])).toEqual([
    { start: 1, end: 2, from: 1, to: 2 },
    { start: 4, end: 5, from: 4, to: 6 },
  ]);
  expect(diff([], ["a"])).toEqual([{ start: 0, end: 0, from: 0, to: 1 }]);
  expect(diff(["a"], ["a"])).toEqual([]);
});

test("of what is there twice, the second one was inserted or removed", () => {
  expect(diff(["a"], ["a", "a"])).toEqual([{ start: 1, end: 1, from: 1, to: 2 }]);
  expect(diff(["a", "a"], ["a"])).toEqual([{ start: 1, end: 2, from: 1, to: 1 }]);
});

test("diff of any two lists leaves only equal items between its hunks", () => {
  const random = seeded(12);
  for (let round = 0; round < 2000; round += 1) {
    const letters = [..."abcdefghijklmnop"].slice(0, pick(random, [2, 4, 16]));
    const [before, after] = [
      many(random, 14, () => pick(random, letters)),
      many(random, 14, () => pick(random, letters)),
    ];
    const rebuilt: string[] = [];
    let at = 0;
    for (const { start, end, from, to } of diff(before, after)) {
      rebuilt.push(...before.slice(at, start));
      expect(rebuilt.length).toBe(from);
      rebuilt.push(...after.slice(from, to));
      at = end;
    }
    rebuilt.push(...before.slice(at));
    expect(rebuilt).toEqual(after);
  }
});

test("diff finds the one change in long lists of repeated items", () => {
  const before = Array.from({ length: 5000 }, (_, index) => `${index % 3}`);
  const after = before.toSpliced(2500, 0, "new");
  expect(diff(before, after)).toEqual([{ start: 2500, end: 2500, from: 2500, to: 2501 }]);
});

/** How many items a longest common sequence of two lists has. */
function commonIn(before: string[], after: string[]): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const item of before) {
    const next = [0];
    for (const [at, other] of after.entries())
      next.push(item === other ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!));
    row = next;
  }
  return row.at(-1)!;
}

/** How many items stay when what is unique on both sides is matched first; undefined when its order leaves a choice. */
function staying(before: string[], after: string[]): number | undefined {
  let first = 0;
  while (first < Math.min(before.length, after.length) && before[first] === after[first]) first += 1;
  let last = 0;
  const rest = Math.min(before.length, after.length) - first;
  while (last < rest && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  const [one, two] = [before, after].map((list) => list.slice(first, list.length - last)) as [
    string[],
    string[],
  ];
  const isOnce = (list: string[], item: string) => list.filter((other) => other === item).length === 1;
  const unique = one.filter((item) => isOnce(one, item) && isOnce(two, item));
  if (unique.length === 0) return first + last + commonIn(one, two);
  const places = unique.map((item) => two.indexOf(item));
  if (places.some((place, at) => at > 0 && place < places[at - 1]!)) return undefined;
  let count: number | undefined = first + last + unique.length;
  let [from, to] = [0, 0];
  for (const item of [...unique, undefined]) {
    const [oneAt, twoAt] =
      item === undefined ? [one.length, two.length] : [one.indexOf(item), two.indexOf(item)];
    const between = staying(one.slice(from, oneAt), two.slice(to, twoAt));
    if (between === undefined) return undefined;
    count += between;
    [from, to] = [oneAt + 1, twoAt + 1];
  }
  return count;
}

const kept = (before: string[], after: string[]): number =>
  before.length - diff(before, after).reduce((sum, { start, end }) => sum + end - start, 0);

test("diff keeps every item that is unique on both sides and in order, and as many as possible between them", () => {
  const random = seeded(13);
  let compared = 0;
  for (let round = 0; round < 4000; round += 1) {
    const letters = [..."abcdefghijklmnopqrst"].slice(0, pick(random, [2, 3, 5, 20]));
    const list = () => many(random, 16, () => pick(random, letters));
    const [before, after] = [list(), list()];
    const expected = staying(before, after);
    if (expected === undefined) continue;
    compared += 1;
    expect(kept(before, after), `${before.join("")} ${after.join("")}`).toBe(expected);
  }
  expect(compared).toBeGreaterThan(3000);
});

test("diff keeps a longest rising chain of unique items, however many others changed", () => {
  const random = seeded(14);
  for (const size of [3, 10, 100, 900]) {
    for (let round = 0; round < 10_000 / size ** 1.5; round += 1) {
      const before = Array.from({ length: size }, (_, index) => `${index}`);
      const after = before
        .map((item) => ({ item: random() < 0.4 ? `new ${item}` : item, at: Number(item) + random() * 4 }))
        .sort((one, other) => one.at - other.at)
        .map(({ item }) => item);
      expect(kept(before, after)).toBe(commonIn(before, after));
    }
  }
});

test("diff of long lists without a unique item gives up where too much of them changed", () => {
  const list = (size: number, ...items: string[]) =>
    Array.from({ length: size }, (_, index) => items[index % items.length]!);
  expect(kept(list(300, "a", "b"), list(300, "a", "c", "c", "b"))).toBe(150);
  expect(kept(["x", ...list(3000, "a", "b"), "x"], ["x", ...list(3000, "b", "c", "c"), "x"])).toBe(2);
});

test("diff finds four hundred steps of difference in a stretch, and replaces what is farther apart", () => {
  const others = (side: string, size: number) => Array.from({ length: size }, (_, at) => `${side} ${at}`);
  const apart = (one: number, two: number) =>
    kept(
      [...others("one", one), "same", "same", ...others("one", 100)],
      [...others("two", two), "same", "same", ...others("two", 100)],
    );
  expect(apart(100, 100)).toBe(2);
  expect(apart(100, 101)).toBe(0);
});

test("diff looks for unique items between unique ones forty times, and then leaves what is too far apart", () => {
  const others = (side: string) => Array.from({ length: 250 }, (_, at) => `${side} ${at}`);
  /** Lists whose common item is unique in them once those around it are left out, one after the other. */
  const nested = (levels: number) => {
    let before = [...others("before"), "common 1", ...others("before")];
    let after = [...others("after"), "common 1", ...others("after")];
    for (let level = 2; level <= levels; level += 1) {
      before = [`common ${level - 1}`, `common ${level}`, ...before];
      after = ["after", `common ${level}`, ...after];
    }
    return kept(before, after);
  };
  expect([nested(1), nested(39), nested(40), nested(41)]).toEqual([1, 39, 40, 40]);
});

test("an item at the end of both lists stays there, though another one of its kind comes before it", () => {
  expect(diff(["old", "anchor", "end"], ["new", "anchor", "end", "more", "end"])).toEqual([
    { start: 0, end: 1, from: 0, to: 1 },
    { start: 2, end: 2, from: 2, to: 4 },
  ]);
});
