import { type Caller, partyOf } from "@octavo/shared/contracts/callers";
import { refuse } from "@octavo/shared/errors";
import { createTurns } from "@octavo/shared/turns";
import { waitForTurn } from "@octavo/shared/wait-for-turn";

/** Such reads that one process does at a time: a tree of 10,000 pages takes some 20 MB while it is made. */
const AT_A_TIME = 4;
const WAIT_MS = 20_000;

/**
 * Does work that takes as much memory and time as a space has pages, when it is the turn of its caller; callers have one at
 * a time, and take turns. Refuses 503 when the turn takes too long to come.
 */
export type WholeReads = <Result>(
  by: { caller: Caller; readonly signal?: AbortSignal },
  work: () => Promise<Result>,
) => Promise<Result>;

/** Creates the turns of one process. */
export function createWholeReads({ atATime = AT_A_TIME, waitMs = WAIT_MS } = {}): WholeReads {
  const turns = createTurns(atATime);
  return async ({ caller, signal }, work) => {
    const leave = await waitForTurn(turns, partyOf(caller), { waitMs, signal });
    if (!leave)
      refuse("SERVICE_UNAVAILABLE", "Space: too many are read as a whole at once", {
        headers: { "retry-after": "2" },
      });
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
