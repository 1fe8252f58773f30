import { expect, test } from "vitest";
import { flagProblems } from "./flags.js";

const yes = async () => true;
const no = async () => false;

test("flags that match their guards are no problem, and missing flags have none", async () => {
  expect(await flagProblems({ view: true, edit: false }, { view: yes, edit: no })).toEqual([]);
  expect(await flagProblems(undefined, { view: no, edit: no })).toEqual([]);
});

test("a flag that differs, one without an operation and one that is not shown are named", async () => {
  const shown = { view: true, edit: true, merge: false, fly: true, swim: true };
  expect(await flagProblems(shown, { view: yes, edit: no, merge: yes, admin: no }, ["swim"])).toEqual([
    "fly: no operation is held against it",
    "edit: shown as true, and refused",
    "merge: shown as false, and let through",
    "admin: the response has no such flag",
  ]);
  expect(await flagProblems(undefined, { view: yes })).toEqual(["view: shown as false, and let through"]);
});
