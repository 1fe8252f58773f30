import {
  type Block,
  block,
  type JSONDocument,
  leaf,
  textNode,
  voidBlock,
} from "@octavo/markdown/document/nodes";
import { expect, test } from "vitest";
import { PLAIN_PAGE } from "../page.js";
import { renderWithin } from "../render.js";
import { highlightSome, isKnown } from "./highlight.js";
import { createTimeBudget, runWithin } from "./time-budget.js";

const documentOf = (...nodes: Block[]): JSONDocument => ({ object: "document", data: {}, nodes });
const code = (syntax: string, text: string) =>
  block("code", { syntax }, [block("code-line", {}, [textNode([leaf(text)])])]);

test("work that ends in time returns its result, and work in it as well", () => {
  expect(runWithin(1_000, () => [runWithin(1_000, () => 1), 2])).toEqual([1, 2]);
});

test("work that does not end is ended, also a regular expression that goes back and forth", () => {
  expect(
    runWithin(20, () => {
      for (;;);
    }),
  ).toBeUndefined();
  expect(runWithin(20, () => /^(a+)+$/.test(`${"a".repeat(60)}b`))).toBeUndefined();
  expect(runWithin(0, () => 1)).toBeUndefined();
});

test("what work throws is thrown, and the next work is not affected", () => {
  expect(() =>
    runWithin(1_000, () => {
      throw new TypeError("no");
    }),
  ).toThrow(TypeError);
  expect(runWithin(1_000, () => 3)).toBe(3);
});

test("a time budget within a deadline keeps what would be loaded for good for later; one that watches each piece loads it", () => {
  const within = createTimeBudget(1_000, { watched: false });
  expect([within.spend(1_000, () => 1), within.isOver]).toEqual([1, false]);
  let loaded = 0;
  const load = () => {
    loaded += 1;
  };
  expect([within.load(load), loaded, within.wanted]).toEqual([false, 0, [load]]);
  const watched = createTimeBudget(1_000);
  expect([watched.load(load), loaded, watched.wanted]).toEqual([true, 1, []]);
});

test("a document is drawn once", () => {
  let drawn = 0;
  const page = {
    ...PLAIN_PAGE,
    link: () => {
      drawn += 1;
      return undefined;
    },
  };
  const link = block("content-ref", { ref: { kind: "page", page: "a" } }, []);
  const tab = block("tabs", {}, [block("tabs-item", { title: "A" }, [code("lua", "local a")])]);
  const html = renderWithin(20_000, documentOf(link, code("swift", "let a"), tab), page);
  expect(html).toContain('<span class="k">let</span>');
  expect(html).toContain('<span class="k">local</span>');
  expect(drawn).toBe(1);
});

test("what a document wants that was not foreseen is loaded, and it is drawn with it", () => {
  const formula = voidBlock("math", { formula: "a^2" });
  const included = block("reusable-content", { ref: { kind: "reusable-content", reusableContent: "r" } }, []);
  const page = { ...PLAIN_PAGE, reusable: () => documentOf(code("elixir", "defmodule A do")) };
  const html = renderWithin(20_000, documentOf(formula, included), page);
  expect(html).toContain("<msup>");
  expect(html).toContain('<span class="k">defmodule</span>');
});

test("a document that takes longer than its time is not drawn at all", () => {
  const long = documentOf(...Array.from({ length: 400 }, () => code("js", "a = /* b ".repeat(200))));
  expect(renderWithin(1, long, PLAIN_PAGE)).toBeUndefined();
  expect(renderWithin(0, documentOf(), PLAIN_PAGE)).toBeUndefined();
});

test("a document whose code is known is drawn as it was, and what it includes is still watched over", () => {
  const known = code("js", "const known = 1;");
  const first = renderWithin(20_000, documentOf(known), PLAIN_PAGE);
  expect(first).toContain('<span class="k">const</span>');
  expect(renderWithin(1_000, documentOf(known), PLAIN_PAGE)).toBe(first);
  const included = block("reusable-content", { ref: { kind: "reusable-content", reusableContent: "r" } }, []);
  const page = { ...PLAIN_PAGE, reusable: () => documentOf(code("js", "const unknown = 2;")) };
  // Of one millisecond too little is left after any work; code that is known is none.
  expect(renderWithin(1, documentOf(known), page)).toBe(first);
  expect(renderWithin(1, documentOf(known, included), page)).toBeUndefined();
});

test("code is highlighted some at a time", () => {
  const codes = Array.from({ length: 100 }, (_, at) => ({
    text: `value${at} = f(${at})\n`.repeat(10),
    syntax: at < 50 ? "elixir" : "kotlin",
  }));
  const counts: number[] = [];
  for (let left = codes; left.length > 0; ) {
    const rest = highlightSome(left, { pause: 0, most: 10_000 })!;
    counts.push(left.length - rest.length);
    left = rest;
  }
  expect([Math.min(...counts), Math.max(...counts)]).toEqual([1, 1]);
  expect(codes.every(isKnown)).toBe(true);
});

test("code that takes too long is left to others, and so is all that comes behind it", () => {
  const long = { text: "const value = f(`a`, 'a', /b/g); // one\n".repeat(1_200), syntax: "js" };
  const after = { text: "const after = 1;", syntax: "js" };
  highlightSome([{ text: "const before = 1;", syntax: "js" }], { pause: 0, most: 10_000 });
  expect(highlightSome([long, after], { pause: 10_000, most: 1 })).toBeUndefined();
  expect([isKnown(long), isKnown(after)]).toEqual([false, false]);
  expect(highlightSome([after], { pause: 10_000, most: 10_000 })).toEqual([]);
});

test("code that is drawn as it is needs no time", () => {
  const codes = [
    { text: "words", syntax: "no language" },
    { text: "a".repeat(70_000), syntax: "js" },
  ];
  expect(codes.map(isKnown)).toEqual([true, true]);
});
