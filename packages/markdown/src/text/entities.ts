import Parser from "markdown-it";

const { unescapeAll } = new Parser().utils;

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|[A-Za-z][A-Za-z0-9]{1,31});/y;

/** The HTML character reference that starts at `at`, or undefined: names that HTML does not know stay text. */
export function entityAt(text: string, at: number): { value: string; end: number } | undefined {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (!match) return undefined;
  const [whole, decimal, hex] = match;
  const number = decimal ?? hex;
  const value =
    number === undefined ? unescapeAll(whole) : character(Number.parseInt(number, decimal ? 10 : 16));
  return value === whole ? undefined : { value, end: at + whole.length };
}

function character(code: number): string {
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
    ? "�"
    : String.fromCodePoint(code);
}
