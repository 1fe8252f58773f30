import type { Entry } from "../site/space.js";

/** Pages that are drawn ahead of somebody at most. */
const FARTHEST = 16;
/** Pages that are drawn at a time: on the main thread, one of them is drawn while content reads the other. */
const AT_ONCE: Readonly<Record<Thread, number>> = { main: 2, worker: 1 };
/** Pages that wait to be drawn ahead; what is planned beyond them is not drawn. */
const MOST_PLANNED = 200;

/** The thread that a page is drawn on: the one that serves requests, or another one. */
export type Thread = "main" | "worker";

interface Reading {
  /** The pages of a space, in the order in which they are read. */
  order: readonly Entry[];
  /** The page that was just sent. */
  page: Entry;
  /** The key that a page is kept under once it is drawn. */
  keyOf: (page: Entry) => string;
  /** Whether a page is kept under a key, or being drawn. */
  isDrawn: (key: string) => boolean;
  /** Draws a page and keeps it. What fails here fails again for whoever asks for it. */
  draw: (page: Entry, thread: Thread) => Promise<unknown>;
}

/** Draws pages ahead of those who read them in order. */
export interface Prerender {
  /**
   * Draws pages after one that was sent: as many of the next ones as were drawn of those just before it, up to sixteen. Somebody
   * who goes through a space finds the next page drawn; for a page that is opened by itself none is drawn in vain.
   */
  follow(reading: Reading): void;
  /**
   * Resolves with the page that somebody waits for, by its key. No other page is begun on the main thread meanwhile, unless
   * that one is drawn on the worker.
   */
  awaited<Result>(key: string, wanted: Promise<Result>): Promise<Result>;
}

interface Planned {
  length: number;
  isDrawn: () => boolean;
  draw: (thread: Thread) => Promise<unknown>;
}

/**
 * Creates what draws pages ahead: the next ones on the main thread, while nobody waits, and the longest of the others on a
 * worker, as it takes the time of several short ones.
 */
export function createPrerender(): Prerender {
  /** By key, the nearest first. */
  const planned = new Map<string, Planned>();
  const drawing = { main: new Set<string>(), worker: new Set<string>() };
  let waiting = 0;

  /** The next page to be drawn on a thread; those that somebody asked for meanwhile are drawn. */
  function next(thread: Thread): [key: string, page: Planned] | undefined {
    for (const [key, { isDrawn }] of planned) if (isDrawn()) planned.delete(key);
    const [nearest, ...others] = planned;
    const longest = others.reduce(
      (best: typeof nearest, one) => (best && best[1].length >= one[1].length ? best : one),
      undefined,
    );
    return thread === "main" ? nearest : longest;
  }

  function goOn(thread: Thread): void {
    const running = drawing[thread];
    while (running.size < AT_ONCE[thread] && (thread === "worker" || waiting === 0)) {
      const [key, page] = next(thread) ?? [];
      if (key === undefined || !page) return;
      planned.delete(key);
      running.add(key);
      void page
        .draw(thread)
        .catch(() => undefined)
        .then(() => {
          running.delete(key);
          goOn(thread);
        });
    }
  }

  return {
    follow({ order, page, keyOf, isDrawn, draw }) {
      const at = order.indexOf(page);
      let run = 0;
      while (run < Math.min(FARTHEST, at) && isDrawn(keyOf(order[at - 1 - run]!))) run += 1;
      for (const one of at < 0 ? [] : order.slice(at + 1, at + 1 + run)) {
        const key = keyOf(one);
        if (planned.size >= MOST_PLANNED || planned.has(key) || isDrawn(key)) continue;
        const { length = 0 } = one;
        planned.set(key, { length, isDrawn: () => isDrawn(key), draw: (thread) => draw(one, thread) });
      }
      goOn("main");
      goOn("worker");
    },

    async awaited(key, wanted) {
      if (drawing.worker.has(key)) return wanted;
      waiting += 1;
      try {
        return await wanted;
      } finally {
        waiting -= 1;
        goOn("main");
      }
    },
  };
}
