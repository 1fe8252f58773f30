import { refuse } from "../errors.js";
import { createShares } from "../shares.js";
import { createTurns } from "../turns.js";
import { waitForTurn } from "../wait-for-turn.js";

/** Bodies beyond the small size that one process parses and works on at a time. */
const AT_A_TIME = 4;
/** Memory for the bytes of such bodies, those that are still arriving too. */
const MEMORY = 256 * 1024 * 1024;
const WAIT_MS = 20_000;

export interface LargeBodies {
  /**
   * Reads a large body, and works on it when it is the party's turn. Refuses 429 while the party's bodies hold too much, and
   * 503 when its turn takes too long to come.
   */
  take<Output>(
    party: string,
    signal: AbortSignal | undefined,
    read: (hold: (bytes: number) => void) => Promise<Buffer>,
    work: (bytes: Buffer) => Promise<Output>,
  ): Promise<Output>;
}

/** Bounds what large bodies take of a process's memory; one party never has all of it. Who sends slowly holds no turn. */
export function createLargeBodies({
  atATime = AT_A_TIME,
  memory = MEMORY,
  waitMs = WAIT_MS,
} = {}): LargeBodies {
  const turns = createTurns(atATime);
  const shares = createShares(memory);

  return {
    async take(party, signal, read, work) {
      let held = 0;
      const hold = (bytes: number) => {
        if (bytes <= held) return;
        if (!shares.take(party, bytes - held))
          refuse("TOO_MANY_REQUESTS", "Body: too many large ones at once", {
            reason: "rate_limited",
            headers: { "retry-after": "2" },
          });
        held = bytes;
      };
      try {
        const bytes = await read(hold);
        const leave = await waitForTurn(turns, party, { waitMs, signal });
        if (!leave)
          refuse("SERVICE_UNAVAILABLE", "Body: too many large ones at once", {
            headers: { "retry-after": "2" },
          });
        try {
          return await work(bytes);
        } finally {
          leave();
        }
      } finally {
        shares.give(party, held);
      }
    },
  };
}
