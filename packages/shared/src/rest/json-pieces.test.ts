import { expect, test } from "vitest";
import { isLarge, jsonPieces } from "./json-pieces.js";

const leaf = (at: number) => ({
  at,
  title: `"${at}"\n`,
  gone: undefined,
  when: new Date(at),
  list: [undefined, null],
});
const tree = (depth: number, width: number): object =>
  depth === 0 ? leaf(width) : { depth, pages: Array.from({ length: width }, () => tree(depth - 1, width)) };

test.each([
  ["nothing", undefined],
  ["a number", 1],
  ["small", leaf(1)],
  ["wide", { items: Array.from({ length: 10_000 }, (_, at) => leaf(at)) }],
  ["deep", tree(5, 6)],
  ["a list of small and large", [tree(5, 6), leaf(1), leaf(2), tree(5, 6), tree(5, 6), leaf(3)]],
  ["a list of lists", Array.from({ length: 200 }, (_, at) => Array.from({ length: 200 }, () => at))],
  ["a list of texts", Array.from({ length: 10_000 }, (_, at) => `${at}`.repeat(10))],
  ["a list with holes", [...Array.from({ length: 20_000 }), () => 1]],
  [
    "nothing but what is not written",
    Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [at, undefined])),
  ],
])("pieces of a value that is %s are what JSON.stringify makes of it", (_, value) => {
  expect([...jsonPieces(value)].join("") === (JSON.stringify(value) ?? "null")).toBe(true);
});

test("a large value comes in pieces, none of which is large", () => {
  const value = { items: Array.from({ length: 10_000 }, (_, at) => leaf(at)) };
  expect(isLarge(value)).toBe(true);
  const pieces = [...jsonPieces(value)];
  expect(pieces.length).toBeGreaterThan(10);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000);
});
