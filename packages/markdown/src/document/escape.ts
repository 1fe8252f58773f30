import { endOf, joinedLines } from "../parser/blanks.js";
import { emojiCode } from "../parser/emoji.js";

/** Characters that may begin something: whether they do is looked at one by one. */
const SPECIAL = /[\\`*_[\]<&~$:{]/g;
const WORD = /[\p{L}\p{N}]/u;

/** Words as markdown that reads back as these words, inside a line of text. Line breaks are not looked at. */
export function escapeText(text: string): string {
  return text.replace(SPECIAL, (character, at: number) =>
    needsEscape(text, at, character) ? `\\${character}` : character,
  );
}

function needsEscape(text: string, at: number, character: string): boolean {
  const [before, after] = [text[at - 1] ?? "", text[at + 1] ?? ""];
  switch (character) {
    case "_":
      return !(WORD.test(before) && WORD.test(after));
    case "<":
      return after === "" || /[A-Za-z/!?]/.test(after);
    case "&":
      return after === "" || /[#A-Za-z]/.test(after);
    case "~":
      return after === "" || before === "" || after === "~" || before === "~";
    case "$":
      return after === "" || before === "" || after === "$" || before === "$";
    case "{":
      return after === "" || after === "%";
    case ":":
      return (
        startsEmoji(text, at) ||
        (text.startsWith("//", at + 1) && /https?$/i.test(text.slice(Math.max(0, at - 5), at)))
      );
    default:
      return true;
  }
}

const EMOJI = /:([a-z0-9_+-]{1,60}):/y;

function startsEmoji(text: string, at: number): boolean {
  EMOJI.lastIndex = at;
  const name = EMOJI.exec(text)?.[1];
  return name !== undefined && emojiCode(name) !== undefined;
}

const isBlank = (character: string) => /[^\S\n\v\f]/.test(character);
const references = (blanks: string): string =>
  blanks.replace(/./gs, (one) => `&#x${one.charCodeAt(0).toString(16)};`);

/** Blanks at both ends as character references: a parser drops them otherwise. */
export function keepBlanks(source: string): string {
  let start = 0;
  while (start < source.length && isBlank(source[start]!)) start += 1;
  const end = endOf(source, isBlank, start);
  return references(source.slice(0, start)) + source.slice(start, end) + references(source.slice(end));
}

/** The start of a line of text, so that it begins no other block. */
export function escapeLineStart(line: string): string {
  const number = /^\d{1,9}(?=[.)](?:[ \t]|$))/.exec(line);
  if (number) return `${number[0]}\\${line.slice(number[0].length)}`;
  if (/^(?:#{1,6}(?:[ \t]|$)|>|[-+](?:[ \t]|$)|=+[ \t]*$|[-:|][-| \t:]*$)/.test(line)) return `\\${line}`;
  return line;
}

/** A link's destination; in angle brackets when blanks, parentheses or its emptiness ask for it. */
export function destination(url: string): string {
  const clean = url
    .replace(/[\r\n]+/g, " ")
    .replace(/&(?=#|[A-Za-z])/g, "&amp;")
    .replace(/\\/g, "\\\\");
  if (clean === "" || /[\s()<>\p{Cc}]/u.test(clean)) return `<${clean.replace(/[<>]/g, "\\$&")}>`;
  return clean;
}

/** Returns a link's title in quotes after a blank, on one line. */
export const titleText = (title: string): string =>
  ` "${joinedLines(title.replace(/&(?=#|[A-Za-z])/g, "&amp;").replace(/["\\]/g, "\\$&"))}"`;

/** Words in backticks; the fence is longer than any run inside. */
export function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest === 0 ? 1 : longest + 1);
  const padded = /^`|`$/.test(text) || (/^ .* $/s.test(text) && text.trim() !== "") ? ` ${text} ` : text;
  return fence + padded + fence;
}
