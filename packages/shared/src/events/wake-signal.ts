export interface WakeSignal {
  notify(): void;
  /**
   * Resolves at the next ring, at once when it rang since the last wait, or after `ms`, or on the abort. Returns whether
   * it rang.
   */
  wait(ms: number, signal: AbortSignal): Promise<boolean>;
}

/** Creates a signal by which whoever knows of work wakes the loop that does it. */
export function createWakeSignal(): WakeSignal {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    notify: () => {
      rung = true;
      wake?.();
    },
    wait: async (ms, signal) => {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const end = () => {
            clearTimeout(timer);
            signal.removeEventListener("abort", end);
            resolve();
          };
          const timer = setTimeout(end, ms);
          signal.addEventListener("abort", end);
          wake = end;
        });
      }
      const rang = rung;
      wake = undefined;
      rung = false;
      return rang;
    },
  };
}
