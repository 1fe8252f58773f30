import { expect, test } from "vitest";
import { yielding } from "./yield.js";

test("long work that gives way lets others have their turn before it is done", async () => {
  const order: string[] = [];
  setImmediate(() => order.push("other"));
  const giveWay = yielding();
  const until = performance.now() + 100;
  while (performance.now() < until) await giveWay();
  order.push("long work");
  expect(order).toEqual(["other", "long work"]);
});

test("short work that gives way is done before others", async () => {
  const order: string[] = [];
  setImmediate(() => order.push("other"));
  await yielding()();
  order.push("short work");
  await new Promise(setImmediate);
  expect(order).toEqual(["short work", "other"]);
});
