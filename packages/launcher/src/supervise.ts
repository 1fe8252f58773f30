import { setTimeout as sleep } from "node:timers/promises";

/** A process that runs and is ready. */
export interface Running {
  pid: number;
  /** Resolves when it ends for whatever reason, with a phrase that says how. */
  ended: Promise<string>;
  /** Stops it gracefully, in bounded time. */
  stop(): Promise<void>;
}

export interface Supervised {
  name: string;
  pid(): number | undefined;
  /** Stops the process and starts it anew at once, e.g. with changed code. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  name: string;
  /** Starts the process and resolves when it is ready; gives up when the signal says so. */
  start: (signal: AbortSignal) => Promise<Running>;
  /** Aborted when everything is being stopped. */
  signal?: AbortSignal;
  /** Called at every end and every new start. */
  onChange: (line: string) => void;
  /** Milliseconds before a new start: the first time, and at most, doubling in between. */
  backOff?: { first: number; longest: number };
}

const settled = 30_000;

/**
 * Starts a process and keeps it: whenever it ends unasked it is started again, after a growing pause.
 * A failure of the very first start is the caller's.
 */
export async function supervise({ name, start, signal, onChange, backOff }: Options): Promise<Supervised> {
  const { first, longest } = backOff ?? { first: 200, longest: 10_000 };
  const stop = new AbortController();
  const stopping = AbortSignal.any(signal ? [stop.signal, signal] : [stop.signal]);
  let wake = new AbortController();
  let asked = false;
  let running: Running | undefined = await start(stopping);
  const loop = keep();

  async function keep() {
    for (let pause = first; ; ) {
      const since = Date.now();
      const how = await running?.ended;
      running = undefined;
      if (stopping.aborted) return;
      if (Date.now() - since > settled) pause = first;
      if (how && !asked) onChange(`${name} ended (${how}); starting it again`);
      if (!asked) await sleep(pause, undefined, { signal: wake.signal }).catch(() => {});
      if (stopping.aborted) return;
      pause = asked ? first : Math.min(longest, pause * 2);
      asked = false;
      wake = new AbortController();
      const wanted = AbortSignal.any([stopping, wake.signal]);
      running = await start(wanted).catch(({ message }: Error) => void (wanted.aborted || onChange(message)));
      if (stopping.aborted) return running?.stop();
      // Asked for again meanwhile: what has come up may still be the old code.
      if (asked) await running?.stop();
      else if (running) onChange(`${name} is back`);
    }
  }

  return {
    name,
    pid: () => running?.pid,
    restart: async () => {
      asked = true;
      wake.abort();
      await running?.stop();
    },
    stop: async () => {
      stop.abort();
      wake.abort();
      await running?.stop();
      await loop;
    },
  };
}
