import { entityAt } from "./entities.js";

/** `(destination "title")` of an inline link. `start`..`end` frame the destination as written, without `<>`. */
export interface Destination {
  raw: string;
  title?: string;
  start: number;
  end: number;
  /** The position after the closing parenthesis. */
  next: number;
}

const MOST_NESTED = 32;

/** Reads the destination whose `(` stands at `at`; undefined when it is not closed. Stays on one line. */
export function destinationAt(text: string, at: number): Destination | undefined {
  let position = skipBlanks(text, at + 1);
  let start = position;
  let end: number;
  if (text[position] === "<") {
    start += 1;
    end = angleEnd(text, start);
    if (end < 0) return undefined;
    position = end + 1;
  } else {
    end = bareEnd(text, start);
    if (end < 0) return undefined;
    position = end;
  }
  const raw = text.slice(start, end);
  position = skipBlanks(text, position);
  if (text[position] === ")") return { raw, start, end, next: position + 1 };
  const closing = { '"': '"', "'": "'", "(": ")" }[text[position] ?? ""];
  if (!closing) return undefined;
  const titleEnd = closingQuote(text, position + 1, closing);
  if (titleEnd < 0) return undefined;
  const next = skipBlanks(text, titleEnd + 1);
  if (text[next] !== ")") return undefined;
  return { raw, title: unescapeText(text.slice(position + 1, titleEnd)), start, end, next: next + 1 };
}

/** Backslash escapes and character references resolved. */
export function unescapeText(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  let out = "";
  for (let at = 0; at < text.length; at += 1) {
    const entity = text[at] === "&" ? entityAt(text, at) : undefined;
    if (entity) {
      out += entity.value;
      at = entity.end - 1;
    } else if (text[at] === "\\" && isPunctuation(text[at + 1])) {
      at += 1;
      out += text[at];
    } else out += text[at];
  }
  return out;
}

/** A path or URL without percent escapes; as it is when they are malformed. */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Has a scheme ("https:", "mailto:") or a host ("//cdn.example.com"). */
export const isAbsoluteUrl = (url: string): boolean => /^(?:[A-Za-z][A-Za-z0-9+.-]+:|\/\/)/.test(url);

/** ASCII punctuation: what a backslash may escape. */
export const isPunctuation = (character: string | undefined): boolean =>
  character !== undefined && /^[!-/:-@[-`{-~]$/.test(character);

/** `folder` joined with a relative path, `.` and `..` resolved; undefined when it leaves the root. */
export function resolvePath(folder: string, path: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

function skipBlanks(text: string, at: number): number {
  let position = at;
  while (text[position] === " " || text[position] === "\t") position += 1;
  return position;
}

function angleEnd(text: string, at: number): number {
  for (let position = at; position < text.length; position += 1) {
    const character = text[position];
    if (character === ">") return position;
    if (character === "<" || character === "\n" || character === "\r") return -1;
    if (character === "\\") position += 1;
  }
  return -1;
}

/** Spaces inside are allowed when the rest of the parenthesis is no title: real files have `(my page.md)`. */
function bareEnd(text: string, at: number): number {
  let depth = 0;
  let position = at;
  for (; position < text.length; position += 1) {
    const character = text[position]!;
    if (character === "\n" || character === "\r") return -1;
    if (character === "\\" && isPunctuation(text[position + 1])) position += 1;
    else if (character === "(") {
      depth += 1;
      if (depth > MOST_NESTED) return -1;
    } else if (character === ")") {
      if (depth === 0) break;
      depth -= 1;
    } else if ((character === " " || character === "\t") && depth === 0) {
      const next = skipBlanks(text, position);
      if (`)"'(`.includes(text[next] ?? "\n")) break;
      position = next - 1;
    }
  }
  return position < text.length ? position : -1;
}

function closingQuote(text: string, at: number, quote: string): number {
  for (let position = at; position < text.length; position += 1) {
    if (text[position] === quote) return position;
    if (text[position] === "\n" || text[position] === "\r") return -1;
    if (text[position] === "(" && quote === ")") return -1;
    if (text[position] === "\\") position += 1;
  }
  return -1;
}
