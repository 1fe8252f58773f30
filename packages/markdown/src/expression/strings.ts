import { fail } from "./nodes.js";

interface Cursor {
  source: string;
  at: number;
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", "0": "\0" };

/** A text in quotes that the cursor stands on. */
export function readString(cursor: Cursor): string {
  const quote = cursor.source[cursor.at]!;
  cursor.at += 1;
  let text = "";
  for (;;) {
    const character = cursor.source[cursor.at];
    if (character === undefined || character === "\n" || character === "\r") fail("a text is not closed");
    cursor.at += 1;
    if (character === quote) return text;
    text += character === "\\" ? escaped(cursor) : character;
  }
}

/** The text of a template up to a value, or to its end; the cursor is behind the `${` or the backtick then. */
export function readTemplateText(cursor: Cursor): string {
  let text = "";
  for (;;) {
    const character = cursor.source[cursor.at];
    if (character === undefined) fail("a template is not closed");
    cursor.at += 1;
    if (character === "`") return text;
    if (character === "$" && cursor.source[cursor.at] === "{") {
      cursor.at += 1;
      return text;
    }
    text += character === "\\" ? escaped(cursor) : character;
  }
}

/** What a backslash stands for with what follows it. */
function escaped(cursor: Cursor): string {
  const { source, at } = cursor;
  const code = /(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\})/y;
  code.lastIndex = at;
  const match = code.exec(source);
  if (match) {
    cursor.at += match[0].length;
    const point = Number.parseInt(match[1] ?? match[2] ?? match[3]!, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : fail("there is no such character");
  }
  const line = source.startsWith("\r\n", at) ? 2 : 1;
  cursor.at += line;
  const character = source[at];
  if (character === undefined || character === "x" || character === "u") fail("a text is not closed");
  if (character === "\n" || character === "\r") return "";
  return ESCAPES[character] ?? character;
}
