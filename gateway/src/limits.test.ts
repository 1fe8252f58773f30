import { expect, test } from "vitest";
import { createRateLimit } from "./limits.js";

test("a window ends a minute after its first use, and what was used in it counts no more", () => {
  const limit = createRateLimit(2);
  expect([0, 1, 2].map((now) => limit.take("a", { now }).exceeded)).toEqual([false, false, true]);
  expect(limit.exhausted("a", 59_999)).toMatchObject({ reset: 60, remaining: 0 });
  expect(limit.exhausted("a", 60_000)).toBeUndefined();
  expect(limit.take("a", { now: 60_000 })).toEqual({ limit: 2, remaining: 1, reset: 120, exceeded: false });
});

test("a use of more weight counts as many, and fits into a window of its own where there are fewer", () => {
  const limit = createRateLimit(10);
  expect(limit.take("a", { weight: 8, now: 0 })).toMatchObject({ remaining: 2, exceeded: false });
  expect(limit.take("a", { weight: 8, now: 1 }).exceeded).toBe(true);
  expect(limit.take("b", { weight: 100, now: 0 })).toMatchObject({ remaining: 0, exceeded: false });
  expect(limit.take("b", { now: 1 }).exceeded).toBe(true);
});

test("checking whether a limit is exhausted uses nothing of it, and keys do not count for each other", () => {
  const limit = createRateLimit(1);
  expect(limit.exhausted("a", 0)).toBeUndefined();
  limit.take("a", { now: 0 });
  expect([limit.exhausted("a", 0)?.limit, limit.exhausted("b", 0)]).toEqual([1, undefined]);
});

test("of more keys than are counted, those that were used least recently begin anew", () => {
  const limit = createRateLimit(1, { keys: 2 });
  for (const key of ["a", "b", "c"]) limit.take(key, { now: 0 });
  expect(["a", "b", "c"].map((key) => limit.exhausted(key, 0) !== undefined)).toEqual([false, true, true]);
});
