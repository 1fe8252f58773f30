import { generateNKeysBetween } from "fractional-indexing";
import { expect, test } from "vitest";
import { positionsInOrder } from "./positions.js";

const rising = (positions: string[]) => positions.every((one, at) => at === 0 || positions[at - 1]! < one);
const changed = (known: (string | null)[]) =>
  positionsInOrder(known).filter((position, at) => position !== known[at]).length;

test("siblings in order keep their positions, and what comes between them changes no other", () => {
  const keys = generateNKeysBetween(null, null, 5000);
  expect(positionsInOrder(keys)).toEqual(keys);
  for (const at of [0, 17, 4999, 5000]) {
    const known = [...keys.slice(0, at), null, ...keys.slice(at)];
    expect(rising(positionsInOrder(known)), String(at)).toBe(true);
    expect(changed(known), String(at)).toBe(1);
  }
  expect(changed([...keys.slice(1), keys[0]!])).toBe(1);
  expect(changed([keys[4999]!, ...keys.slice(0, 4999)])).toBe(1);
});

test("whatever siblings have, they come to be in order, each at a position of its own", () => {
  const keys = generateNKeysBetween(null, null, 40);
  let state = 7;
  const random = (most: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
  for (let round = 0; round < 300; round += 1) {
    const known = Array.from({ length: random(30) }, () => (random(4) === 0 ? null : keys[random(40)]!));
    const positions = positionsInOrder(known);
    expect(positions).toHaveLength(known.length);
    expect(rising(positions), JSON.stringify(known)).toBe(true);
  }
});

test("what is no position, or has grown long, is written anew", () => {
  expect(rising(positionsInOrder(["!", "?", null]))).toBe(true);
  let [low, high] = generateNKeysBetween(null, null, 2) as [string, string];
  for (let times = 0; times < 2000; times += 1) {
    const [first, between, last] = positionsInOrder([low, null, high]) as [string, string, string];
    expect(between.length).toBeLessThanOrEqual(60);
    [low, high] = times % 2 === 0 ? [between, last] : [first, between];
  }
});
