import { expect, test, vi } from "vitest";
import { newId } from "./ids.js";

test("an id is 22 base62 characters", () => {
  for (let made = 0; made < 1000; made++) expect(newId()).toMatch(/^[0-9A-Za-z]{22}$/);
});

test("a prefix stands in front of it", () => {
  expect(newId("int")).toMatch(/^int_[0-9A-Za-z]{22}$/);
});

test("ids are unique", () => {
  const ids = Array.from({ length: 100_000 }, () => newId());
  expect(new Set(ids).size).toBe(ids.length);
});

test("ids of a later millisecond sort after earlier ones, by code unit as PostgreSQL with locale C does", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const times = [0, 1, 61, 62, 1_700_000_000_000, 1_700_000_000_001, Date.now(), 4_102_444_800_000];
  const ids = times
    .sort((one, other) => one - other)
    .map((time) => {
      vi.setSystemTime(time);
      return newId();
    });
  vi.useRealTimers();
  expect([...ids].sort()).toEqual(ids);
});

test("ids of one process sort in the order in which they were made, also within a millisecond", () => {
  const ids = Array.from({ length: 100_000 }, () => newId());
  expect([...ids].sort()).toEqual(ids);
});

test("every random digit is equally likely", () => {
  const counts = new Map<string, number>();
  const draws = 20_000;
  for (let made = 0; made < draws; made++) {
    for (const digit of newId().slice(12)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  }
  const expected = (draws * 10) / 62;
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(Math.abs(count - expected) / expected).toBeLessThan(0.1);
});
