import { expect, test } from "vitest";
import { hasConditions, withoutHidden } from "./hidden-text.js";

test("a text has conditions where a condition or an element with an expression may begin, however it is written", () => {
  for (const text of [
    "{% if visitor.claims.a %}",
    '<code class="expression">space.vars.a</code>',
    "<CODE\nclass='expression'>a</CODE>",
    '<code title=">" class="expression">a</code>',
    '<code/class="expression">a',
    '<code class="a expression',
  ])
    expect(hasConditions(text), text).toBe(true);
});

test("the word alone, plain code, and code of another class are no expressions", () => {
  for (const text of [
    "A regular expression.",
    "An expression, and then `code` and <code>expression</code>.",
    'An expression before <code class="lang-js">a</code>',
    "<code expres sion>",
  ])
    expect(hasConditions(text), text).toBe(false);
});

test("titles are without their expressions, and keep the word", () => {
  expect(withoutHidden("A regular expression")).toBe("A regular expression");
  expect(withoutHidden('Plan <code class="expression">visitor.claims.a</code>')).toBe("Plan");
});

test("a text of many elements that begin is looked through once", () => {
  const text = `expression ${"<code ".repeat(200_000)}`;
  expect(hasConditions(text)).toBe(false);
});
