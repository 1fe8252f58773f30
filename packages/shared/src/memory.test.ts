import { expect, onTestFinished, test, vi } from "vitest";
import { collectAtRest, collectGarbage } from "./memory.js";

test("what nothing refers to any more is collected at once, and the function that does it stays hidden", async () => {
  const gone = new WeakRef({ text: "x".repeat(1_000) });
  // What a reference was read of in one turn is kept until its end.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(gone.deref()).toBeUndefined();
  expect("gc" in globalThis).toBe(false);
});

test("garbage is collected once when work rests, and not for little work", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let collected = 0;
  const collect = () => {
    collected += 1;
  };
  const worked = collectAtRest({ pieces: 3, afterMs: 100, collect });
  const work = (pieces: number, pauseMs: number) => {
    for (let piece = 0; piece < pieces; piece += 1) {
      worked();
      vi.advanceTimersByTime(pauseMs);
    }
    return collected;
  };
  expect(work(10, 99), "while there is work").toBe(0);
  vi.advanceTimersByTime(1);
  expect(collected, "at rest").toBe(1);
  expect(work(2, 1_000), "after little work").toBe(1);
  expect(work(1, 1_000), "after some").toBe(2);
  vi.advanceTimersByTime(10_000);
  expect(collected, "while nothing is done").toBe(2);
});
