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

/** Creates what sends whole spaces: of four at a time, each site has one, and of sixty under way, it has twenty. */
export function createWholeSpaces({ most = 60, atOnce = 4 }: Options = {}): WholeSpaces {
  const admitted = createAdmission(most, "Space: too many are being sent as a whole");
  const turns = createTurns(atOnce);

  async function* paced(
    res: ServerResponse,
    party: string,
    texts: AsyncGenerator<string>,
  ): AsyncGenerator<string> {
    try {
      while (true) {
        // Whoever has left meanwhile takes no turn.
        const next = await inTurn(turns, party, async () => (res.destroyed ? undefined : texts.next()));
        if (!next || next.done) return;
        yield next.value;
      }
    } finally {
      await texts.return(undefined);
    }
  }

  return {
    send: ({ req, res }, party, parts) =>
      admitted(party, () => respondInParts(req, res, { ...parts, texts: paced(res, party, parts.texts) })),
  };
}
