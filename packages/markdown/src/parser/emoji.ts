import names from "markdown-it-emoji/lib/data/full.mjs";

const hex = (emoji: string): string =>
  [...emoji].map((character) => character.codePointAt(0)!.toString(16)).join("-");

const CODES = new Map(Object.entries(names).map(([name, emoji]) => [name, hex(emoji)]));
const NAMES = new Map([...CODES].reverse().map(([name, code]) => [code, name]));

/** Code points in hexadecimal, joined with `-`, of a name such as "house"; undefined for unknown names. */
export const emojiCode = (name: string): string | undefined => CODES.get(name);
/** The first name of an emoji. */
export const emojiName = (code: string): string | undefined => NAMES.get(code);

/** Returns an emoji by its code points in hexadecimal, joined with `-`; empty when one is no code point. */
export function emojiText(code: string): string {
  const points = code.split("-").map((point) => Number.parseInt(point, 16));
  return points.every((point) => point > 0 && point <= 0x10ffff) ? String.fromCodePoint(...points) : "";
}
