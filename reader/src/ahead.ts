import type { Entry } from "./space.js";

/** Pages that are drawn ahead of somebody at most. */
const FARTHEST = 8;
/** Pages that wait to be drawn ahead; what is planned beyond them is not drawn. */
const MOST_PLANNED = 200;

interface Reading {
  /** The pages of a space, in the order in which they are read. */
  order: readonly Entry[];
  /** The page that was just sent. */
  page: Entry;
  isDrawn: (page: Entry) => boolean;
  /** Draws a page and keeps it. What fails here fails again for whoever asks for it. */
  draw: (page: Entry) => Promise<unknown>;
}

/** Draws pages ahead of those who read them in order. */
export interface Ahead {
  /**
   * Draws pages after one that was sent: as many of the next ones as were drawn of those just before it, up to eight. Somebody
   * who goes through a space finds the next page drawn; for a page that is opened by itself none is drawn in vain.
   */
  follow(reading: Reading): void;
  /** Resolves with what somebody waits for. No other page is begun meanwhile. */
  awaited<Result>(wanted: Promise<Result>): Promise<Result>;
}

/** Creates what draws pages ahead, one after the other. */
export function createAhead(): Ahead {
  const planned: (() => Promise<unknown>)[] = [];
  let isDrawing = false;
  let waiting = 0;

  async function goOn(): Promise<void> {
    if (isDrawing) return;
    isDrawing = true;
    while (waiting === 0 && planned.length > 0) await planned.shift()!().catch(() => undefined);
    isDrawing = false;
  }

  return {
    follow({ order, page, isDrawn, draw }) {
      const at = order.indexOf(page);
      let run = 0;
      while (run < Math.min(FARTHEST, at) && isDrawn(order[at - 1 - run]!)) run += 1;
      const next = at < 0 ? [] : order.slice(at + 1, at + 1 + run);
      for (const one of next)
        if (planned.length < MOST_PLANNED && !isDrawn(one))
          // It may have been drawn by the time that it is its turn.
          planned.push(async () => isDrawn(one) || draw(one));
      void goOn();
    },

    async awaited(wanted) {
      waiting += 1;
      try {
        return await wanted;
      } finally {
        waiting -= 1;
        void goOn();
      }
    },
  };
}
