import { expect, test } from "vitest";
import { createRateLimit } from "./limits.js";

test("a window ends a minute after its first use, and what was used in it counts no more", () => {
  const limit = createRateLimit(2);
  expect([0, 1, 2].map((now) => limit.take("a", now).exceeded)).toEqual([false, false, true]);
  expect(limit.exhausted("a", 59_999)).toMatchObject({ reset: 60, remaining: 0 });
  expect(limit.exhausted("a", 60_000)).toBeUndefined();
  expect(limit.take("a", 60_000)).toEqual({ limit: 2, remaining: 1, reset: 120, exceeded: false });
});

test("checking whether a limit is exhausted uses nothing of it, and keys do not count for each other", () => {
  const limit = createRateLimit(1);
  expect(limit.exhausted("a", 0)).toBeUndefined();
  limit.take("a", 0);
  expect([limit.exhausted("a", 0)?.limit, limit.exhausted("b", 0)]).toEqual([1, undefined]);
});

test("of more keys than are counted, those that were used least recently begin anew", () => {
  const limit = createRateLimit(1, { keys: 2 });
  for (const key of ["a", "b", "c"]) limit.take(key, 0);
  expect(["a", "b", "c"].map((key) => limit.exhausted(key, 0) !== undefined)).toEqual([false, true, true]);
});
