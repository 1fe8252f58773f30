import type { Readable, Writable } from "node:stream";

/** Does pieces of work, of each party one in a turn of the event loop, so that nobody waits for all that one asks for. */
export type Pieces = (party: string, piece: () => void) => void;

/** Milliseconds between two pieces while they are paced. */
const REST_MS = 1;

/**
 * Creates the queue of one process. Of parties that are paced a piece is done in a millisecond, not in every turn: who is
 * sent as much as it can take would keep a processor busy, which others need for what they ask for.
 */
export function createPieces(isPaced: (party: string) => boolean = () => false): Pieces {
  const waiting = new Map<string, (() => void)[]>();
  let isPlanned = false;

  function plan() {
    if (isPlanned) return;
    isPlanned = true;
    if ([...waiting.keys()].every(isPaced)) setTimeout(turn, REST_MS);
    else setImmediate(turn);
  }

  function turn() {
    isPlanned = false;
    for (const [party, pieces] of [...waiting]) {
      const piece = pieces.shift();
      if (pieces.length === 0) waiting.delete(party);
      piece?.();
    }
    if (waiting.size > 0) plan();
  }

  return (party, piece) => {
    const pieces = waiting.get(party);
    if (pieces) pieces.push(piece);
    else waiting.set(party, [piece]);
    plan();
  };
}

/**
 * Moves all of a source to a target and ends that, a piece when it is the party's turn and the target takes more. What the
 * target is when the source breaks off is for whoever calls to decide.
 */
export function pump(source: Readable, target: Writable, next: (piece: () => void) => void): void {
  let isReady = false;
  let isPlanned = false;
  const plan = () => {
    if (!isReady || isPlanned || target.writableNeedDrain) return;
    isPlanned = true;
    next(move);
  };
  function move() {
    isPlanned = false;
    isReady = false;
    if (target.destroyed) return;
    const piece: Buffer | null = source.read();
    if (piece) target.write(piece);
    if (source.readableLength > 0) isReady = true;
    plan();
  }
  source.on("readable", () => {
    isReady = true;
    plan();
  });
  target.on("drain", plan);
  source.once("end", () => target.end());
}
