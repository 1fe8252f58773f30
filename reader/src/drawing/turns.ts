import { Refusal } from "@octavo/shared/errors";
import { createShares } from "@octavo/shared/shares";
import type { Turns } from "@octavo/shared/turns";

/** Does something when it is the turn of the party. */
export async function inTurn<Result>(
  turns: Turns,
  party: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let leave = () => {};
  await new Promise<void>((begin) => {
    leave = turns.enter(party, begin);
  });
  try {
    return await work();
  } finally {
    leave();
  }
}

/** Does something for a party while it is one of those that may be under way; 503 where too many are. */
export type Admission = <Result>(party: string, work: () => Promise<Result>) => Promise<Result>;

/** Creates an admission for `most` at a time, of which no party has more than half of what is free. */
export function createAdmission(most: number, refusal: string): Admission {
  const shares = createShares(most);
  return async (party, work) => {
    if (!shares.take(party, 1)) throw new Refusal("SERVICE_UNAVAILABLE", refusal, { reason: "busy" });
    try {
      return await work();
    } finally {
      shares.give(party, 1);
    }
  };
}
