import { randomFillSync } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TIME_DIGITS = 8;
const RANDOM_DIGITS = 14;
const pool = new Uint8Array(4096);
let used = pool.length;

/** One unbiased base62 digit: bytes of 248 and above are drawn again. */
function randomDigit(): string {
  for (;;) {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = pool[used++]!;
    if (byte < 248) return ALPHABET[byte % 62]!;
  }
}

/**
 * A new id: 22 base62 characters, the first 8 of them the time in milliseconds, so that ids sort by
 * creation. With a prefix it reads `<prefix>_<id>`.
 */
export function newId(prefix?: string): string {
  let time = Date.now();
  let id = "";
  for (let digit = 0; digit < TIME_DIGITS; digit++) {
    id = ALPHABET[time % 62]! + id;
    time = Math.floor(time / 62);
  }
  for (let digit = 0; digit < RANDOM_DIGITS; digit++) id += randomDigit();
  return prefix === undefined ? id : `${prefix}_${id}`;
}
