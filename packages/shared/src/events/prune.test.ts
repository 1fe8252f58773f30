import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pruneEvery } from "./prune.js";

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

test("a batch runs at once, goes on while there is more, and rests for the interval then", async () => {
  let more = 3;
  let batches = 0;
  const prune = pruneEvery(100, async () => {
    batches += 1;
    return more-- > 0;
  });
  await prune();
  expect(batches).toBe(4);
  vi.advanceTimersByTime(99);
  await prune();
  expect(batches).toBe(4);
  vi.advanceTimersByTime(1);
  await prune();
  expect(batches).toBe(5);
});

test("after twenty batches the caller goes on with its own work, and the next call takes up the rest at once", async () => {
  let batches = 0;
  const prune = pruneEvery(100, async () => {
    batches += 1;
    return true;
  });
  await prune();
  expect(batches).toBe(20);
  await prune();
  expect(batches).toBe(40);
});

test("calls while a batch runs start no other", async () => {
  let batches = 0;
  let end = () => {};
  const prune = pruneEvery(100, async () => {
    batches += 1;
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return false;
  });
  const running = prune();
  await prune();
  expect(batches).toBe(1);
  end();
  await running;
});
