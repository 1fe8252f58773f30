import type { ServerResponse } from "node:http";

/** Bytes on their way from or to a client. */
export interface Transfer {
  /** How many bytes have passed so far. */
  passed(): number;
  /** Whether it is the client that the transfer waits for. */
  waitsForClient(): boolean;
  /** Fewest bytes between two looks. */
  least: number;
  onSlow(): void;
}

export interface Pace {
  /** Looks after a transfer until the function that is returned is called. */
  watch(transfer: Transfer): () => void;
  stop(): void;
}

/**
 * Ends transfers that clients keep going for the sake of what they hold: at each look, those of which too little has passed
 * since the last one, while it was the client that they waited for.
 */
export function createPace(everyMs: number): Pace {
  // A list, as each table of a map refers to the one that replaced it: where many transfers come and go at once, all that
  // they hold would outlive the collection of young objects.
  const watched: Watched[] = [];
  const timer = setInterval(look, everyMs);
  timer.unref();

  function look() {
    for (const one of [...watched]) {
      if (!isWatched(one)) continue;
      const { transfer, before } = one;
      const passed = transfer.passed();
      // One that began since the last look has had no whole interval yet.
      const slow = before !== undefined && passed - before < transfer.least && transfer.waitsForClient();
      one.before = passed;
      if (!slow) continue;
      unwatch(one);
      transfer.onSlow();
    }
  }

  const isWatched = (one: Watched) => watched[one.place] === one;

  /** The last one takes its place. */
  function unwatch(one: Watched) {
    if (!isWatched(one)) return;
    const last = watched.pop()!;
    if (last === one) return;
    last.place = one.place;
    watched[one.place] = last;
  }

  return {
    watch(transfer) {
      const one: Watched = { transfer, place: watched.length };
      watched.push(one);
      return () => unwatch(one);
    },
    stop: () => clearInterval(timer),
  };
}

/** A transfer that is looked after. */
interface Watched {
  transfer: Transfer;
  /** Its index in the list of all. */
  place: number;
  /** How many bytes had passed at the last look. */
  before?: number;
}

/** Fewest bytes of a response that its reader lets wait between two looks. */
const LEAST_READ = 16 * 1024;

/** Cuts off a client that reads too little of a response; `passed` returns how many bytes it was sent so far. */
export function watchReading(pace: Pace, res: ServerResponse, passed: () => number): void {
  const unwatch = pace.watch({
    passed,
    waitsForClient: () => res.writableNeedDrain,
    least: LEAST_READ,
    onSlow: () => res.destroy(),
  });
  res.once("close", unwatch);
}
