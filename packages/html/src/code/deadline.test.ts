import { expect, test } from "vitest";
import { within } from "./deadline.js";

test("work that ends in time returns its result, and work in it as well", () => {
  expect(within(1_000, () => [within(1_000, () => 1), 2])).toEqual([1, 2]);
});

test("work that does not end is ended, also a regular expression that goes back and forth", () => {
  expect(
    within(20, () => {
      for (;;);
    }),
  ).toBeUndefined();
  expect(within(20, () => /^(a+)+$/.test(`${"a".repeat(60)}b`))).toBeUndefined();
  expect(within(0, () => 1)).toBeUndefined();
});

test("what work throws is thrown, and the next work is not affected", () => {
  expect(() =>
    within(1_000, () => {
      throw new TypeError("no");
    }),
  ).toThrow(TypeError);
  expect(within(1_000, () => 3)).toBe(3);
});
