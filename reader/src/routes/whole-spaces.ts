import type { IncomingMessage, ServerResponse } from "node:http";
import { createTurns } from "@octavo/shared/turns";
import { createAdmission, inTurn } from "../drawing/turns.js";
import { type Parts, respondInParts } from "../http/respond.js";

/**
 * Sends responses that hold many pages of a space, a few pages at a time: each page waits for its turn, which nobody holds
 * who is slow to read. Refuses 503 when too many of the party are under way.
 */
export interface WholeSpaces {
  send(to: { req: IncomingMessage; res: ServerResponse }, party: string, parts: Parts): Promise<void>;
}

interface Options {
  /** Responses under way. */
  most?: number;
  /** Pages, or small groups of them, that are made at a time. */
  atOnce?: number;
}

/**
 * Creates what sends whole spaces: of four at a time, each site has one, and of 24 under way, it has eight. Each that is under
 * way takes some hundred kilobytes for as long as a client reads.
 */
export function createWholeSpaces({ most = 24, atOnce = 4 }: Options = {}): WholeSpaces {
  const admitted = createAdmission(most, "Space: too many are being sent as a whole");
  const turns = createTurns(atOnce);

  /** The texts, each of them made when it is the turn of the party; whoever has left takes no turn. */
  const paced = (
    res: ServerResponse,
    party: string,
    texts: AsyncIterator<string>,
  ): AsyncIterator<string> => ({
    next: () => inTurn(turns, party, async () => (res.destroyed ? ENDED : texts.next())),
    return: async () => (await texts.return?.()) ?? ENDED,
  });

  return {
    send: ({ req, res }, party, parts) =>
      admitted(party, () => respondInParts(req, res, { ...parts, texts: paced(res, party, parts.texts) })),
  };
}
const ENDED = { done: true, value: undefined } as const;
