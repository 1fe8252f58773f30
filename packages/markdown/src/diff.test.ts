import { expect, test } from "vitest";
import { diff } from "./diff.js";
import { many, pick, seeded } from "./testing.js";

test("diff names what was inserted, removed and replaced", () => {
  expect(diff([..."abcdef"], [..."axcdzzf"])).toEqual([
    { start: 1, end: 2, from: 1, to: 2 },
    { start: 4, end: 5, from: 4, to: 6 },
  ]);
  expect(diff([], ["a"])).toEqual([{ start: 0, end: 0, from: 0, to: 1 }]);
  expect(diff(["a"], ["a"])).toEqual([]);
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
