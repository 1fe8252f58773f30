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
  const watched = new Map<Transfer, number>();
  const timer = setInterval(look, everyMs);
  timer.unref();

  function look() {
    for (const [transfer, before] of watched) {
      const passed = transfer.passed();
      // One that began since the last look has had no whole interval yet.
      const slow = before >= 0 && passed - before < transfer.least && transfer.waitsForClient();
      watched.set(transfer, passed);
      if (!slow) continue;
      watched.delete(transfer);
      transfer.onSlow();
    }
  }

  return {
    watch(transfer) {
      watched.set(transfer, -1);
      return () => watched.delete(transfer);
    },
    stop: () => clearInterval(timer),
  };
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
