import { expect, test } from "vitest";
import { createTurns } from "./turns.js";

/** Enters so many times, and returns how many of them began. */
function crowd(turns: ReturnType<typeof createTurns>, party: string, size: number) {
  const begun: number[] = [];
  const leave = Array.from({ length: size }, (_, index) => turns.enter(party, () => begun.push(index)));
  return { begun, leave };
}

test("one party never holds all places, and another one is let in at once however many wait", () => {
  const turns = createTurns(12);
  const hog = crowd(turns, "hog", 1_000);
  expect(hog.begun).toHaveLength(4);
  expect(crowd(turns, "other", 2).begun).toEqual([0, 1]);
});

test("with many hogs every newcomer still gets a place, until each place is another party's", () => {
  const turns = createTurns(64);
  for (let hog = 0; hog < 10; hog++) crowd(turns, `hog${hog}`, 1_000);
  expect(crowd(turns, "other", 1).begun).toEqual([0]);
});

test("who waits begins in order as places come free, also when others are still blocked by their share", () => {
  const turns = createTurns(6);
  const hog = crowd(turns, "hog", 6);
  expect(hog.begun).toEqual([0, 1]);
  hog.leave[0]!();
  hog.leave[0]!();
  expect(hog.begun).toEqual([0, 1, 2]);
  for (const leave of hog.leave) leave();
  expect(crowd(turns, "hog", 2).begun).toEqual([0, 1]);
});

test("whoever gives up while waiting never begins, and holds no place", () => {
  const turns = createTurns(1);
  const [first, second, third] = ["a", "b", "c"].map((party) => crowd(turns, party, 1));
  second!.leave[0]!();
  first!.leave[0]!();
  expect([second!.begun, third!.begun]).toEqual([[], [0]]);
});

test("places go round between parties that wait", () => {
  const turns = createTurns(1);
  const order: string[] = [];
  const enter = (party: string) => turns.enter(party, () => order.push(party));
  const leaves = ["a", "a", "a", "b", "b"].map(enter);
  for (const at of [0, 1, 3, 2]) leaves[at]!();
  expect(order).toEqual(["a", "a", "b", "a", "b"]);
});
