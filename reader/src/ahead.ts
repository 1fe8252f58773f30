import type { Entry } from "./space.js";

/** Pages that are drawn ahead of somebody, and those drawn at a time: one is asked for while the other is drawn. */
const [FARTHEST, AT_A_TIME] = [8, 2];
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
export type Ahead = (reading: Reading) => void;

/**
 * Creates what draws pages ahead: after a page as many of the next ones as were drawn of those just before it, up to eight.
 * Somebody who goes through a space finds the next page drawn; for a page that is opened by itself none is drawn in vain.
 */
export function createAhead(): Ahead {
  const planned: (() => Promise<unknown>)[] = [];
  let drawing = 0;

  function goOn(): void {
    while (drawing < AT_A_TIME) {
      const next = planned.shift();
      if (!next) return;
      drawing += 1;
      next()
        .catch(() => undefined)
        .finally(() => {
          drawing -= 1;
          goOn();
        });
    }
  }

  return ({ order, page, isDrawn, draw }) => {
    const at = order.indexOf(page);
    let run = 0;
    while (run < Math.min(FARTHEST, at) && isDrawn(order[at - 1 - run]!)) run += 1;
    const next = at < 0 ? [] : order.slice(at + 1, at + 1 + run);
    for (const one of next)
      if (planned.length < MOST_PLANNED && !isDrawn(one)) planned.push(async () => draw(one));
    goOn();
  };
}
