const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/** Deeper values would overflow the stack of whoever walks them. */
export const DEEPEST = 256;
/** Every value costs some dozens of bytes once it is parsed, whatever it took on the wire. */
export const MOST_VALUES = 250_000;

/** Why JSON is not to be parsed: nested too deeply, or made of too many values. Needs no more than one pass. */
export function jsonProblem(bytes: Buffer, deepest = DEEPEST, most = MOST_VALUES): string | undefined {
  // An array or object takes two bytes and another value one more: shorter texts hold fewer.
  if (bytes.length <= deepest) return undefined;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
    } else if (OPEN.has(byte)) {
      values++;
      if (++depth > deepest) return `is nested deeper than ${deepest} levels`;
    } else if (CLOSE.has(byte)) {
      depth--;
    } else if (byte === COMMA) {
      values++;
    }
    if (values > most) return `holds more than ${most} values`;
  }
  return undefined;
}

/** The closing quote of the string that begins at a quote; the end of the text when there is none. */
function endOfString(bytes: Buffer, from: number): number {
  let end = from;
  do {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end < 0) return bytes.length;
  } while (isEscaped(bytes, end, from));
  return end;
}

function isEscaped(bytes: Buffer, at: number, from: number): boolean {
  let before = at - 1;
  while (before > from && bytes[before] === BACKSLASH) before--;
  return (at - 1 - before) % 2 === 1;
}
