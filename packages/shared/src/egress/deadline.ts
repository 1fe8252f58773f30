export interface Deadline {
  /** Aborted with the error of the limit, or with the reason of the signal above it. */
  signal: AbortSignal;
  /** The work's result, or the deadline's error if that comes first. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Begins a new phase with a limit of its own. */
  restart(ms: number, expired: () => Error): void;
  stop(): void;
}

/** A time limit that aborts its signal with `expired()`; an abort of `above` is passed on. */
export function startDeadline(ms: number, above: AbortSignal | undefined, expired: () => Error): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const pass = () => controller.abort(above?.reason);
  if (above?.aborted) pass();
  above?.addEventListener("abort", pass, { once: true });
  const arm = (ms: number, expired: () => Error) => setTimeout(() => controller.abort(expired()), ms);
  let timer = arm(ms, expired);

  return {
    signal,
    async race(work) {
      signal.throwIfAborted();
      let fail: (() => void) | undefined;
      const aborted = new Promise<never>((_, reject) => {
        fail = () => reject(signal.reason);
        signal.addEventListener("abort", fail, { once: true });
      });
      work.catch(() => undefined);
      return Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", fail!));
    },
    restart(ms, expired) {
      clearTimeout(timer);
      timer = arm(ms, expired);
    },
    stop() {
      clearTimeout(timer);
      above?.removeEventListener("abort", pass);
    },
  };
}
