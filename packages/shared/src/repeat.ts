import { setTimeout as sleep } from "node:timers/promises";
import type { BaseContext } from "./context.js";
import type { Background, Worker } from "./service.js";

/**
 * Does some work when the service starts, and again so many milliseconds after each time, until the service stops. A
 * failure is logged as `problem`, and does not keep the next turn from coming.
 */
export function repeat<Ctx extends Pick<BaseContext<never>, "log">>(
  context: Background<Ctx>,
  everyMs: number,
  problem: string,
  work: (ctx: Ctx) => Promise<void>,
): Worker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      const ctx = context();
      await work(ctx).catch((error: unknown) => ctx.log.warn({ err: error }, problem));
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
