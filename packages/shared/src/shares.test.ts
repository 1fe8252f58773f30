import { expect, test } from "vitest";
import { createShares } from "./shares.js";

test("a party holds no more than half of what is free, and what it gives back is there again", () => {
  const shares = createShares(90);
  expect([shares.take("a", 30), shares.take("a", 1)]).toEqual([true, false]);
  expect([shares.take("b", 20), shares.take("b", 1), shares.take("c", 21)]).toEqual([true, false, false]);
  shares.give("a", 30);
  expect([shares.take("c", 23), shares.take("c", 1)]).toEqual([true, false]);
});
