import { setTimeout as sleep } from "node:timers/promises";

/** So long what comes next may gather, that it is handled together: many events a second cost as much as few. */
export const GATHER_MS = 20;

/** Lets a loop have a turn at once, and the next one no sooner than after the time that things gather. */
export function createPace(ms = GATHER_MS): (signal: AbortSignal) => Promise<void> {
  let next = 0;
  return async (signal) => {
    const left = next - performance.now();
    if (left > 0) await sleep(left, undefined, { signal }).catch(() => undefined);
    next = performance.now() + ms;
  };
}
