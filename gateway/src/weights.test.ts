import { expect, test } from "vitest";
import { weightOf } from "./weights.js";

test("what is made of many pages counts as many requests, however its path is written", () => {
  for (const path of ["/sites/a/~octavo/print", "/sites/a/b/~gitbook/print?from=100", "/%7Eoctavo/pr%69nt"])
    expect(weightOf(path), path).toBe(100);
  for (const path of ["/sites/a/llms-full.txt", "/llms-full.txt/2?page"])
    expect(weightOf(path), path).toBe(50);
  for (const path of ["/sites/a/~octavo/search?q=print", "/~gitbook/mcp"])
    expect(weightOf(path), path).toBe(5);
});

test("a page, a print of one and whatever is no path of a site count once", () => {
  for (const path of ["/", "/sites/a/print", "/~octavo/print?page=", "/~octavo/printer", "/llms.txt", "/%ff"])
    expect(weightOf(path), path).toBe(1);
  expect(weightOf("/~octavo/print?x=page=1")).toBe(100);
});
