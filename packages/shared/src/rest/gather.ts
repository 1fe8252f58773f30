const FIRST = 4 * 1024;

/** Bytes that arrive piece by piece, in one buffer: a body in pieces of one byte takes no more room than a whole one. */
export interface Gathered {
  readonly length: number;
  /** How many bytes of memory are taken. */
  readonly room: number;
  add(piece: Buffer): void;
  /** All bytes so far. */
  bytes(): Buffer;
}

/** Gathers at most so many bytes; more are an error of who adds them. */
export function gather(most: number): Gathered {
  let buffer = Buffer.alloc(0);
  let length = 0;

  return {
    get length() {
      return length;
    },
    get room() {
      return buffer.length;
    },
    add(piece) {
      const needed = length + piece.length;
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(
          Math.max(needed, Math.min(most, Math.max(FIRST, 2 * buffer.length))),
        );
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      piece.copy(buffer, length);
      length = needed;
    },
    bytes: () => buffer.subarray(0, length),
  };
}
