import { expect, test } from "vitest";
import { plainText } from "../document/nodes.js";
import { parseDocument } from "../document/parse.js";
import { entityAt } from "./entities.js";
import { inlineText } from "./inline.js";

test.each([
  ["&hellip;", "…"],
  ["&NotEqualTilde;", "≂̸"],
  ["&Scaron;", "Š"],
  ["&lambda;", "λ"],
  ["&#8230;", "…"],
  ["&#x1F680;", "🚀"],
  ["&#0;", "\uFFFD"],
  ["&#xD800;", "\uFFFD"],
  ["&#x110000;", "\uFFFD"],
])("%s is a character, in titles as in documents", (source, value) => {
  expect(entityAt(`a${source}b`, 1)).toEqual({ value, end: 1 + source.length });
  expect(inlineText(`a ${source} b`)).toBe(`a ${value} b`);
  const [paragraph] = parseDocument(`a ${source} b`, { body: true }).nodes;
  expect(plainText(paragraph!.nodes as Parameters<typeof plainText>[0])).toBe(`a ${value} b`);
});

test.each([["&nope;"], ["&hellip"], ["& amp;"], ["&#12345678;"], ["&#x1234567;"], ["&;"]])(
  "%s stays text",
  (source) => {
    expect(entityAt(source, 0)).toBeUndefined();
    expect(inlineText(source)).toBe(source);
  },
);
