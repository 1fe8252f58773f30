import type { Turns } from "./turns.js";

interface Waiting {
  /** Milliseconds after which whoever waits gives up. */
  waitMs: number;
  /** Aborts when the client leaves. */
  signal?: AbortSignal;
}

/** Waits for a turn. Resolves with what gives it back, or undefined when it did not come in time or the client left. */
export function waitForTurn(
  turns: Turns,
  party: string,
  { waitMs, signal }: Waiting,
): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const end = (turn?: () => void) => {
      clearTimeout(late);
      signal?.removeEventListener("abort", giveUp);
      resolve(turn);
    };
    const giveUp = () => {
      leave();
      end();
    };
    const late = setTimeout(giveUp, waitMs);
    signal?.addEventListener("abort", giveUp);
    // A turn may come at once, before what gives it back is known here.
    const leave = turns.enter(party, () => end(() => leave()));
  });
}
