import { expect, test } from "vitest";
import { jsonProblem } from "./json-bounds.js";

const problem = (text: string, deepest?: number, most?: number) =>
  jsonProblem(Buffer.from(text), deepest, most);

test("nesting is counted in brackets outside of strings", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`;
  expect(problem(nested(4), 4)).toBeUndefined();
  expect(problem(nested(5), 4)).toBe("is nested deeper than 4 levels");
  expect(problem(`["${"[".repeat(50)}\\"[[[[[","\\\\",[[1]]]`, 3)).toBeUndefined();
  expect(problem(`["\\\\",[[[1]]]]`, 3)).toBe("is nested deeper than 3 levels");
  expect(problem("[[1],[1],[1],[1],[1]]", 2)).toBeUndefined();
});

test("values are counted whatever they are, and a string counts once", () => {
  expect(problem(`{"a":[1,2,3],"b":"1,2,3,4,5,6,7"}`, 4, 7)).toBeUndefined();
  expect(problem(`{"a":[1,2,3],"b":{}}`, 4, 6)).toBe("holds more than 6 values");
  expect(problem("0,".repeat(1_000), 4, 100)).toBe("holds more than 100 values");
});

test("what is no JSON is scanned to its end, and judged by the parser", () => {
  for (const text of [`"open and open`, `"\\`, `]]]]]]]`, "}{}{", `"a\\"`])
    expect(problem(text, 3), text).toBeUndefined();
});

test("strings of backslashes and quotes cost one pass", () => {
  const text = `["${"\\\\".repeat(2_000_000)}","${'\\"'.repeat(200_000)}"]`;
  expect(problem(text, 1, 3)).toBeUndefined();
});
