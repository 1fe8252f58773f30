import type { IncomingMessage } from "node:http";
import { Refusal, refuse } from "@octavo/shared/errors";
import { SMALL_BODY } from "@octavo/shared/rest/body";
import { gather } from "@octavo/shared/rest/gather";
import { createShares } from "@octavo/shared/shares";
import { sizeRefusal } from "./body.js";

/** A body, or its beginning, as far as it was read before the request is sent to a service. */
export interface Collected {
  bytes: Buffer;
  /** False when more is to come. */
  whole: boolean;
}

interface Terms {
  /** Who sends it. */
  party: string;
  /** Most bytes that the body may have. */
  limit: number;
  withinMs: number;
}

export interface Collector {
  /**
   * Reads a small body to its end, a large one until it is beyond the small size. Refuses 408 when that takes too long, 413
   * beyond the limit, and 429 when the party's unfinished requests reserve too much. Undefined when the client left.
   * Call `release` once the request is over.
   */
  collect(req: IncomingMessage, terms: Terms): { body: Promise<Collected | undefined>; release: () => void };
}

/** What a request with a body holds besides its bytes. */
const OVERHEAD = 4 * 1024;

/** Collects bodies within so many bytes of memory in all, of which no party has more than its share. */
export function createCollector(memory: number): Collector {
  const shares = createShares(memory);

  return {
    collect(req, { party, limit, withinMs }) {
      let held = 0;
      const reserve = (bytes: number) => {
        const more = OVERHEAD + bytes - held;
        if (more <= 0) return;
        if (!shares.take(party, more)) refuseHeld();
        held += more;
      };
      const release = () => {
        shares.give(party, held);
        held = 0;
      };
      return { body: read(req, limit, withinMs, reserve), release };
    },
  };
}

async function read(req: IncomingMessage, limit: number, withinMs: number, reserve: (bytes: number) => void) {
  reserve(0);
  const gathered = gather(limit);
  let stop = () => {};
  try {
    return await new Promise<Collected | undefined>((resolve, reject) => {
      const late = setTimeout(() => reject(lateRefusal()), withinMs);
      const onData = (piece: Buffer) => {
        try {
          if (gathered.length + piece.length > limit) throw sizeRefusal(limit);
          gathered.add(piece);
          reserve(gathered.room);
        } catch (error) {
          return reject(error);
        }
        if (gathered.length > SMALL_BODY) resolve({ bytes: gathered.bytes(), whole: false });
      };
      const onEnd = () => resolve({ bytes: gathered.bytes(), whole: true });
      const onClose = () => resolve(undefined);
      stop = () => {
        clearTimeout(late);
        req.pause().off("data", onData).off("end", onEnd).off("close", onClose);
      };
      if (req.destroyed) return resolve(undefined);
      req.on("data", onData).once("end", onEnd).once("close", onClose);
    });
  } finally {
    stop();
  }
}

export const lateRefusal = () =>
  new Refusal("TIMEOUT", "Body: did not arrive in time", { reason: "request_timeout" });

function refuseHeld(): never {
  refuse("TOO_MANY_REQUESTS", "Body: too many unfinished requests at once", {
    reason: "rate_limited",
    headers: { "retry-after": "1" },
  });
}
