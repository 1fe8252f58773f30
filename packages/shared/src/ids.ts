import { randomFillSync, randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const REQUEST_ID = /^[A-Za-z0-9._-]{8,100}$/;
const TIME_DIGITS = 8;
const ORDER_DIGITS = 4;
const RANDOM_DIGITS = 10;
/** Where the count of a millisecond begins at most: far below what its digits hold. */
const ORDER_STARTS = 62 ** ORDER_DIGITS / 2;
const pool = new Uint8Array(4096);
let used = pool.length;
let last = { time: 0, order: 0 };

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

/** Returns `length` random base62 digits, unbiased. */
export function randomDigits(length: number): string {
  let text = "";
  for (let digit = 0; digit < length; digit++) text += randomDigit();
  return text;
}

/** Returns the last `length` digits of a whole number in base62, with zeros in front. */
export function base62Digits(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62))
    text = ALPHABET[rest % 62]! + text;
  return text;
}

/**
 * A new id: 22 base62 characters. The first 8 are the time in milliseconds and the next 4 count within one, from
 * anywhere, so that ids sort by creation: those of one process exactly, unless its clock is set back. The last 10
 * are random (59 bits). With a prefix it reads `<prefix>_<id>`.
 */
export function newId(prefix?: string): string {
  const time = Date.now();
  last = { time, order: time === last.time ? last.order + 1 : randomInt(ORDER_STARTS) };
  const id =
    base62Digits(time, TIME_DIGITS) + base62Digits(last.order, ORDER_DIGITS) + randomDigits(RANDOM_DIGITS);
  return prefix === undefined ? id : `${prefix}_${id}`;
}

/** Whether a text that a client sent may be the id of its request: 8 to 100 letters, digits, dots, dashes, underscores. */
export const isRequestId = (text: unknown): text is string =>
  typeof text === "string" && REQUEST_ID.test(text);
