import { expect, test } from "vitest";
import { highlight, isKnown } from "./highlight.js";
import { createTimeBudget } from "./time-budget.js";

test("code that was highlighted is known, until so much other code was that it is not kept", () => {
  const time = createTimeBudget(10_000, { watched: false });
  const codeOf = (name: string, length: number) =>
    `${`const ${name} = 1; // ${"x".repeat(500)}\n`.repeat(length / 500)}`;
  const [short, longest, others] = [
    codeOf("a", 500),
    codeOf("b", 60_500),
    [..."cde"].map((name) => codeOf(name, 25_000)),
  ];
  const known = (text: string) => isKnown({ text, syntax: "js" });
  highlight(short, "js", time);
  expect(known(short)).toBe(true);
  // It is longer than all that is kept, and takes the place of nothing.
  expect(highlight(longest, "js", time)).toBeDefined();
  expect([longest, short].map(known)).toEqual([false, true]);
  for (const text of others) highlight(text, "js", time);
  expect([short, ...others].map(known)).toEqual([false, false, true, true]);
});
