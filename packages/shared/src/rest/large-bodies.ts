import type { ServerResponse } from "node:http";
import { refuse } from "../errors.js";
import { createTurns } from "../turns.js";

/** Bodies beyond the small size that one process reads, parses and works on at a time. */
const AT_A_TIME = 4;
const WAIT_MS = 20_000;

export interface LargeBodies {
  /** Runs the work that reads a large body, when it is the party's turn; 503 when that takes too long. */
  take<Output>(party: string, res: ServerResponse, work: () => Promise<Output>): Promise<Output>;
}

/**
 * Bounds what large bodies take of a process's memory. Who waits for a turn is not read from meanwhile, and one party never
 * has all turns.
 */
export function createLargeBodies({ atATime = AT_A_TIME, waitMs = WAIT_MS } = {}): LargeBodies {
  const turns = createTurns(atATime);

  return {
    async take(party, res, work) {
      let leave = () => {};
      const over = await new Promise<boolean>((resolve) => {
        const late = setTimeout(() => resolve(true), waitMs);
        leave = turns.enter(party, () => {
          clearTimeout(late);
          resolve(false);
        });
        res.once("close", () => {
          clearTimeout(late);
          resolve(true);
        });
      });
      try {
        if (over)
          refuse("SERVICE_UNAVAILABLE", "Body: too many large ones at once, try again", {
            headers: { "retry-after": "2" },
          });
        return await work();
      } finally {
        leave();
      }
    },
  };
}
