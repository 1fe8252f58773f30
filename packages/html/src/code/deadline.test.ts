import { block, type JSONDocument, leaf, textNode } from "@octavo/markdown/document/nodes";
import { expect, test } from "vitest";
import { PLAIN_PAGE } from "../page.js";
import { renderInTime } from "../render.js";
import { allow, within } from "./deadline.js";

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

test("an allowance within a deadline refuses what comes after its time, and what would be loaded for good", () => {
  const within = allow(1_000, { watched: false });
  expect([within.spend(1_000, () => 1), within.isOver]).toEqual([1, false]);
  expect([within.mayLoad(), within.isOver, within.spend(1_000, () => 1)]).toEqual([false, true, undefined]);
  const watched = allow(1_000);
  expect([watched.mayLoad(), watched.isOver, watched.spend(1_000, () => 1)]).toEqual([true, false, 1]);
});

test("nothing is loaded within the deadline of a document: a grammar is whole, whenever that ends", () => {
  const document = (syntax: string): JSONDocument => ({
    object: "document",
    data: {},
    nodes: [block("code", { syntax }, [block("code-line", {}, [textNode([leaf("module a")])])])],
  });
  for (const syntax of ["haskell", "erlang", "julia", "nix"]) {
    renderInTime(document(syntax), PLAIN_PAGE, { time: 2.5 });
    const { html, inTime } = renderInTime(document(syntax), PLAIN_PAGE, { time: 20_000 });
    expect([inTime, html.includes("module")], syntax).toEqual([true, true]);
  }
});
