import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWakeSignal } from "./wake-signal.js";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const quiet = new AbortController();
const leavesNothing = (signal: AbortSignal) => {
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(signal, "abort")).toEqual([]);
};

test("a notification ends the wait, and is not received again by the next one", async () => {
  const bell = createWakeSignal();
  const waiting = bell.wait(1_000, quiet.signal);
  bell.notify();
  expect(await waiting).toBe(true);
  leavesNothing(quiet.signal);
  const next = bell.wait(1_000, quiet.signal);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await next).toBe(false);
  leavesNothing(quiet.signal);
});

test("a notification while nobody waits ends the next wait at once", async () => {
  const bell = createWakeSignal();
  bell.notify();
  bell.notify();
  expect(await bell.wait(1_000, quiet.signal)).toBe(true);
  leavesNothing(quiet.signal);
  const next = bell.wait(10, quiet.signal);
  await vi.advanceTimersByTimeAsync(10);
  expect(await next).toBe(false);
});

test("without a notification the wait ends after its time, and not before", async () => {
  const bell = createWakeSignal();
  let over = false;
  const waiting = bell.wait(1_000, quiet.signal).finally(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(over).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await waiting).toBe(false);
});

test("an abort ends the wait, and one that came before lets nobody wait", async () => {
  const bell = createWakeSignal();
  const stopping = new AbortController();
  const waiting = bell.wait(1_000, stopping.signal);
  stopping.abort();
  expect(await waiting).toBe(false);
  leavesNothing(stopping.signal);
  expect(await bell.wait(1_000, stopping.signal)).toBe(false);
  leavesNothing(stopping.signal);
  bell.notify();
  expect(await bell.wait(1_000, stopping.signal)).toBe(true);
});
