import { expect, test } from "vitest";
import { readVariables } from "./variables.js";

test("readVariables keeps texts, numbers and booleans with proper names, and names all else", () => {
  const source = "server: https://a.example/\nport: 80\nbeta: true\n1st: no\nlist: [1]\n";
  expect(readVariables(source)).toEqual({
    variables: { server: "https://a.example/", port: 80, beta: true },
    skipped: ["1st", "list"],
  });
});

test("readVariables skips all of what is no map, and nothing of an empty file", () => {
  for (const source of ["- a\n- b", "a: [", "text"])
    expect(readVariables(source)).toEqual({ variables: {}, skipped: ["*"] });
  const names = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(10)}]`);
  expect(readVariables(["a0: &a0 [x]", ...names].join("\n"))).toEqual({ variables: {}, skipped: ["*"] });
  expect(readVariables("[".repeat(100_000))).toEqual({ variables: {}, skipped: ["*"] });
  expect(readVariables("")).toEqual({ variables: {}, skipped: [] });
});
