import { expect, test } from "vitest";
import { CHECKS } from "./checks.js";
import { OptionsError, readOptions } from "./options.js";

const NUMBERS = Array.from({ length: 20 }, (_, at) => at + 1);

test("the checks have the numbers from 1 to 20, each once", () => {
  expect(CHECKS.map(([number]) => number).toSorted((one, other) => one - other)).toEqual(NUMBERS);
});

test("all checks look at the handbook where nothing else is asked for", () => {
  const handbook = "tests/fixtures/handbook";
  expect(readOptions([], NUMBERS)).toEqual({
    folders: [handbook],
    only: NUMBERS,
    sample: 12,
    same: [],
    help: false,
  });
});

test("folders, checks, the sample and another renderer are named in any order", () => {
  const args = ["docs", "--only", "1,20", "--sample=3", "tests", "--same", "https://docs.example/,http://b/"];
  expect(readOptions(args, NUMBERS)).toEqual({
    folders: ["docs", "tests"],
    only: [1, 20],
    sample: 3,
    help: false,
    same: ["https://docs.example/", "http://b/"],
  });
  expect(readOptions(["--help"], NUMBERS).help).toBe(true);
});

const issuesOf = (args: string[]): readonly string[] => {
  try {
    readOptions(args, NUMBERS);
  } catch (error) {
    if (error instanceof OptionsError) return error.issues;
    throw error;
  }
  return [];
};

test.each([
  ["a name for a number", ["--only", "speed"], '"speed" is none'],
  ["a number without a check", ["--only", "21"], '"21" is none'],
  ["nothing between commas", ["--only", "1,"], '"" is none'],
  ["a number spelled otherwise", ["--only", "0x1"], '"0x1" is none'],
  ["a sample of words", ["--sample", "x"], '"x" is none'],
  ["a sample of nothing", ["--sample", "0"], '"0" is none'],
  ["a part of a page", ["--sample", "1.5"], '"1.5" is none'],
  ["no address", ["--same", "docs"], '"docs" is none'],
  ["more addresses than folders", ["--same", "https://a/,https://b/"], "than there are folders"],
  ["an unknown option", ["--onyl=1"], "There is no option --onyl"],
  ["an option without its value", ["--only"], "--only takes a value"],
  ["a value that is not taken", ["--help=no"], "--help takes no value"],
  ["a folder that is not there", ["docs/none"], "There is no folder docs/none"],
])("refused: %s", (_, args, message) => {
  expect(issuesOf(args)).toEqual([expect.stringContaining(message)]);
});

test("everything that is wrong is named together", () => {
  expect(issuesOf(["--only", "speed,fresh", "--sample", "x", "--fast"])).toEqual([
    "There is no option --fast",
    '--only takes the numbers of checks, 1 to 20: "speed" is none',
    '--only takes the numbers of checks, 1 to 20: "fresh" is none',
    '--sample takes a number of pages, 1 or more: "x" is none',
  ]);
});
