import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { withDeadline } from "./deadline.js";
import { collectGarbage } from "./memory.js";

test("a deadline comes, whatever was collected as garbage meanwhile", async () => {
  const signal = withDeadline(new AbortController().signal, 100);
  signal.addEventListener("abort", () => undefined);
  for (let turn = 0; turn < 3; turn += 1) {
    await sleep(10);
    collectGarbage();
  }
  await vi.waitFor(() => expect(signal.aborted).toBe(true), 10_000);
  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});

test("a signal with a deadline aborts with the other one", () => {
  const stop = new AbortController();
  const signal = withDeadline(stop.signal, 60_000);
  expect(signal.aborted).toBe(false);
  stop.abort("stopped");
  expect(signal.reason).toBe("stopped");
});
