import { expect, test } from "vitest";
import { unitProblems } from "./units.js";

const problems = (source: string) => unitProblems("rules.ts", source);

test("a number without a unit in its name or docstring is reported with its line", () => {
  expect(problems("\n/** Waits. */\nexport function wait(time: number) {}\n")).toEqual([
    "3: wait does not say what time measures",
  ]);
  expect(problems("export const wait = (time: number, size = 3) => 1;\n")).toEqual([
    "1: wait does not say what time, size measures",
  ]);
  expect(problems("/** Waits. */\nexport const wait = ({ time }: { time: number }) => 1;\n")).toEqual([
    "2: wait does not say what time measures",
  ]);
});

test("a name with a unit, a name of a count and a docstring with a unit are enough", () => {
  expect(problems("export const wait = (ms: number, sizeBytes: number, limit: number) => 1;\n")).toEqual([]);
  expect(problems("/** Waits so many seconds. */\nexport const wait = (time: number) => 1;\n")).toEqual([]);
});

test("what is not exported and what is no number has no unit", () => {
  expect(problems("function wait(time: number) {}\nexport const name = (title: string) => 1;\n")).toEqual([]);
});
