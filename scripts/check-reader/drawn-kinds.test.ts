import { expect, test } from "vitest";
import { kindsThatDiffer } from "./drawn-kinds.js";

const block = (type: string, data: Record<string, unknown> = {}) => ({ object: "block", type, data });
const documentOf = (...nodes: ReturnType<typeof block>[]) => ({ nodes });

test("a page that has every block of its document differs in none", () => {
  const html =
    '<ol class="steps"><li><ol><li>one</li></ol></li></ol><div class="cards"></div><img class="on-light"><img class="on-dark">';
  const image = block("inline-image", { ref: { kind: "file", file: "a" } });
  expect(
    kindsThatDiffer(documentOf(block("stepper"), block("stepper-step"), block("table"), image), html),
  ).toEqual([]);
});

test("what is not drawn, or drawn twice, is named with both numbers", () => {
  const document = documentOf(block("hint"), block("tabs"));
  const html = '<div class="tabs"></div><div class="tabs"></div>';
  expect(kindsThatDiffer(document, html)).toEqual([
    "1 × hint, of which 0 are drawn",
    "1 × tabs, of which 2 are drawn",
  ]);
});

test("what an operation is described by counts for nothing, the operation does", () => {
  const html = '<article class="api"><div><figure class="code"></figure><table></table></div></article>';
  expect(kindsThatDiffer(documentOf(block("swagger")), html)).toEqual([]);
  expect(kindsThatDiffer(documentOf(block("swagger"), block("openapi-operation")), html)).toEqual([
    "2 × operation, of which 1 are drawn",
  ]);
});

test("an image that is nowhere, and what is no block of the schema, are words alone", () => {
  const lost = block("image", { ref: { kind: "url", url: "../none.png" } });
  expect(kindsThatDiffer(documentOf(lost, block("hint", { verbatim: true })), "<p>words</p>")).toEqual([]);
});
