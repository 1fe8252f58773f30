import { destinationAt, isPunctuation } from "./destination.js";
import { entityAt } from "./entities.js";
import { withoutHidden } from "./hidden-text.js";

const TAG = /<(?:\/?[A-Za-z][^<>]*|!--[^<>]*--)>/y;
const AUTOLINK = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>/y;
/** Tags that end a line or a box, and with it a word. */
const BLOCK =
  /^<\/?(?:br|p|div|section|article|aside|header|footer|main|figure|figcaption|details|summary|table|thead|tbody|tfoot|tr|t[dh]|ul|ol|li|dl|d[td]|blockquote|pre|h[1-6]|hr|select|option|iframe|video)\b/i;
const ATTRIBUTE = /\balt\s*=\s*(?:"([^"]*)"|'([^']*)')/i;

const SPECIAL = /[\\`&<[\]!*_~]/;
const PLAIN = /[^\\`&<[\]!*_~]*/y;

/**
 * The words of one line of inline markdown: escapes and entities resolved, emphasis marks, HTML tags and link
 * addresses dropped. `ticks` keeps the backticks of code spans, as titles do. Linear.
 */
export function inlineText(source: string, { ticks = false }: { ticks?: boolean } = {}): string {
  if (!SPECIAL.test(source)) return source;
  const pieces: string[] = [];
  const brackets: { piece: number; image: boolean }[] = [];
  const open = new Map<string, { piece: number; size: number }[]>();
  const codeEnd = codeSpans(source);
  let at = 0;
  while (at < source.length) {
    const character = source[at]!;
    if (character === "\\" && isPunctuation(source[at + 1])) {
      pieces.push(source[at + 1]!);
      at += 2;
    } else if (character === "`") {
      const run = runLength(source, at);
      const end = codeEnd(at, run);
      if (end === undefined) pieces.push(source.slice(at, at + run));
      else pieces.push(ticks ? source.slice(at, end + run) : codeText(source.slice(at + run, end)));
      at = end === undefined ? at + run : end + run;
    } else if (character === "&") {
      const entity = entityAt(source, at);
      pieces.push(entity?.value ?? "&");
      at = entity?.end ?? at + 1;
    } else if (character === "<") {
      const { text, end } = angled(source, at);
      pieces.push(text);
      at = end;
    } else if (character === "[" || (character === "!" && source[at + 1] === "[")) {
      const footnote = footnoteAt(source, at);
      if (footnote > at) at = footnote;
      else {
        brackets.push({ piece: pieces.length, image: character === "!" });
        pieces.push(character === "!" ? "![" : "[");
        at += character === "!" ? 2 : 1;
      }
    } else if (character === "]") {
      const opener = brackets.pop();
      const link = opener && source[at + 1] === "(" ? destinationAt(source, at + 1) : undefined;
      if (opener && link) pieces[opener.piece] = "";
      pieces.push(link ? "" : "]");
      at = link ? link.next : at + 1;
    } else if (character === "*" || character === "_" || character === "~") {
      const size = runLength(source, at);
      emphasis({ source, at, size, pieces, open });
      at += size;
    } else {
      const start = at;
      // A `!` that begins no image stands for itself.
      PLAIN.lastIndex = at + 1;
      PLAIN.test(source);
      at = PLAIN.lastIndex;
      pieces.push(source.slice(start, at));
    }
  }
  return pieces.join("");
}

/** A heading's or SUMMARY item's title as plain text: backticks stay, what is for some visitors only is left out. */
export const titleText = (source: string): string =>
  inlineText(withoutHidden(source), { ticks: true }).trim();

/** Several lines as one, a space where lines broke. */
export const oneLine = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");

/** A title written as inline markdown, so that titleText reads the same title back. Code spans stay code. */
export function escapeTitle(title: string): string {
  const codeEnd = codeSpans(title);
  let out = "";
  for (let at = 0; at < title.length; at += 1) {
    const character = title[at]!;
    if (character === "`") {
      const run = runLength(title, at);
      const end = codeEnd(at, run);
      out += end === undefined ? "\\`".repeat(run) : title.slice(at, end + run);
      at = (end ?? at) + run - 1;
    } else if (escapeNeeded(title, at)) out += `\\${character}`;
    else out += character;
  }
  return out.replace(/(?<!#)#+$/, "\\$&");
}

function escapeNeeded(title: string, at: number): boolean {
  const character = title[at]!;
  if (character === "\\") return true;
  if ("[]*<".includes(character)) return true;
  if (character === "~") return title[at + 1] === "~" || title[at - 1] === "~";
  if (character === "_") return !(isWord(title[at - 1]) && isWord(title[at + 1]));
  if (character === "{") return title[at + 1] === "%";
  return character === "&" && entityAt(title, at) !== undefined;
}

interface Run {
  source: string;
  at: number;
  size: number;
  pieces: string[];
  open: Map<string, { piece: number; size: number }[]>;
}

/** Pushes a run of `*`, `_` or `~`, and blanks it and its opener when they make a pair. */
function emphasis({ source, at, size, pieces, open }: Run): void {
  const character = source[at]!;
  const before = source[at - 1];
  const after = source[at + size];
  const word = character === "_";
  const canOpen = isText(after) && !(word && isWord(before));
  const canClose = isText(before) && !(word && isWord(after));
  const openers = open.get(character) ?? [];
  open.set(character, openers);
  let left = character === "~" && size !== 2 ? 0 : size;
  const literal = size - left;
  while (canClose && left > 0) {
    const opener = openers.at(-1);
    if (!opener) break;
    const used = Math.min(left, opener.size);
    opener.size -= used;
    left -= used;
    pieces[opener.piece] = character.repeat(opener.size);
    if (opener.size === 0) openers.pop();
  }
  if (canOpen && left > 0) openers.push({ piece: pieces.length, size: left });
  pieces.push(character.repeat(left + literal));
}

function angled(source: string, at: number): { text: string; end: number } {
  AUTOLINK.lastIndex = at;
  const link = AUTOLINK.exec(source);
  if (link) return { text: link[1] ?? "", end: AUTOLINK.lastIndex };
  TAG.lastIndex = at;
  const tag = TAG.exec(source);
  if (!tag) return { text: "<", end: at + 1 };
  const alt = /^<img\b/i.test(tag[0]) ? ATTRIBUTE.exec(tag[0]) : null;
  return { text: alt?.[1] ?? alt?.[2] ?? (BLOCK.test(tag[0]) ? " " : ""), end: TAG.lastIndex };
}

/** The text with code spans and escaped characters blanked out, every other character at its place. */
export function syntaxOf(text: string): string {
  if (!/[`\\]/.test(text)) return text;
  const codeEnd = codeSpans(text);
  let out = "";
  for (let at = 0; at < text.length; ) {
    const escaped = text[at] === "\\" && isPunctuation(text[at + 1]);
    const run = text[at] === "`" ? runLength(text, at) : 0;
    const end = run > 0 ? codeEnd(at, run) : undefined;
    const next = end !== undefined ? end + run : at + Math.max(run, escaped ? 2 : 1);
    out += escaped || end !== undefined ? " ".repeat(next - at) : text.slice(at, next);
    at = next;
  }
  return out;
}

/** Looks up where the code span opened by a run of backticks ends; every run is visited once. */
function codeSpans(source: string): (at: number, run: number) => number | undefined {
  let starts: Map<number, number[]> | undefined;
  const next = new Map<number, number>();
  return (at, run) => {
    starts ??= backtickRuns(source);
    const positions = starts.get(run) ?? [];
    let index = next.get(run) ?? 0;
    while (index < positions.length && positions[index]! <= at) index += 1;
    next.set(run, index);
    return positions[index];
  };
}

function backtickRuns(source: string): Map<number, number[]> {
  const starts = new Map<number, number[]>();
  for (let at = source.indexOf("`"); at >= 0; ) {
    const run = runLength(source, at);
    const positions = starts.get(run) ?? [];
    positions.push(at);
    starts.set(run, positions);
    at = source.indexOf("`", at + run);
  }
  return starts;
}

function runLength(source: string, at: number): number {
  let end = at + 1;
  while (source[end] === source[at]) end += 1;
  return end - at;
}

const codeText = (code: string): string =>
  code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "" ? code.slice(1, -1) : code;
const FOOTNOTE = /\[\^[^\]\s[]{1,100}\]/y;
function footnoteAt(source: string, at: number): number {
  FOOTNOTE.lastIndex = at;
  return FOOTNOTE.test(source) ? FOOTNOTE.lastIndex : at;
}
const isText = (character: string | undefined): boolean => character !== undefined && !/\s/.test(character);
const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_\uD800-\uDFFF]/u.test(character);
