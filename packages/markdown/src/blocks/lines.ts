import { findFrontmatter } from "../yaml/frontmatter.js";

/** One line of a page. `end` includes the line break, `text` does not. */
export interface Line {
  start: number;
  end: number;
  text: string;
  /** Where `text` starts: behind a byte order mark. */
  at: number;
  /** Columns of leading white space, a tab reaching to the next multiple of four. */
  indent: number;
  blank: boolean;
  /** Part of a fenced block (its fence lines included), of frontmatter, or of raw HTML such as a comment. */
  kind: "text" | "fence" | "frontmatter" | "raw";
  /** The first line of its fence. */
  opens?: boolean;
  /** Of a line of a fence or of raw HTML, where it starts behind the marks of the quotes around it. */
  quoted?: number;
  /** Column where the content of the list item on this line starts: the line opens an item. */
  item?: number;
  /** Column where the content of the innermost list item around the line starts, 0 outside lists. */
  within: number;
}

/** Lines that a page may have. Each is held in memory while the page is read, so their number counts, not only their length. */
export const MOST_LINES = 100_000;

/** Whether a text has more lines than a page may have. */
export function hasTooManyLines(text: string): boolean {
  let at = -1;
  for (let line = 0; line < MOST_LINES; line++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) return false;
  }
  return true;
}

const LIST_ITEM = /^([ \t]*)([*+-]|\d{1,9}[.)])(?=[ \t]|$)/;
const FENCE = /^[ \t]*(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const RAW = /^<(?:(!--)|(pre|script|style|textarea)(?=[\s>]|$))/i;
const QUOTE = /[ \t]*>/y;

/** Cuts a page into lines and says which of them are code, raw HTML or frontmatter. Linear, never throws. */
export function readLines(markdown: string): Line[] {
  const lines = cutLines(markdown);
  const front = findFrontmatter(markdown)?.after ?? 0;
  const open: number[] = [];
  let fence: { mark: string; within: number; quotes: number } | undefined;
  let raw: { end: string; quotes: number } | undefined;
  const hasEnd = closers(markdown);
  for (const line of lines) {
    if (line.start < front) {
      line.kind = "frontmatter";
      continue;
    }
    const quote = quoteOf(line.text, fence?.quotes ?? raw?.quotes);
    if (raw && quote.marks < raw.quotes) raw = undefined;
    if (!line.blank && !raw) while (open.length > 0 && line.indent < open.at(-1)!) open.pop();
    line.within = open.at(-1) ?? 0;
    if (fence && quote.marks < fence.quotes) fence = undefined;
    if (fence && !line.blank && line.indent < fence.within) fence = undefined;
    if (fence) {
      line.kind = "fence";
      line.quoted = quote.end;
      const text = line.text.slice(quote.end).trim();
      if (text.length >= fence.mark.length && isRunOf(text, fence.mark[0]!)) fence = undefined;
      continue;
    }
    if (raw) {
      line.kind = "raw";
      line.quoted = quote.end;
      if (line.text.toLowerCase().includes(raw.end)) raw = undefined;
      continue;
    }
    if (line.blank) continue;
    const inItem = openItems(line, open);
    const content = quote.marks > 0 ? line.text.slice(quote.end) : inItem;
    const opening = FENCE.exec(content);
    if (opening && line.indent - line.within < 4) {
      Object.assign(line, { kind: "fence", opens: true, quoted: quote.end });
      fence = { mark: opening[1] ?? opening[2]!, within: open.at(-1) ?? 0, quotes: quote.marks };
      continue;
    }
    const element = RAW.exec(content.trimStart());
    if (!element) continue;
    Object.assign(line, { kind: "raw", opens: true, quoted: quote.end });
    const end = element[1] ? "-->" : `</${element[2]!.toLowerCase()}`;
    if (!content.toLowerCase().slice(4).includes(end) && hasEnd(end, line.end))
      raw = { end, quotes: quote.marks };
  }
  return lines;
}

/** The lines of a text, all of them of the kind `text`. A byte order mark is no part of the first one. */
export function cutLines(markdown: string): Line[] {
  const lines: Line[] = [];
  const mark = markdown.startsWith("\uFEFF") ? 1 : 0;
  let start = 0;
  while (start < markdown.length) {
    let end = start;
    let code = markdown.charCodeAt(end);
    while (end < markdown.length && code !== 10 && code !== 13) code = markdown.charCodeAt(++end);
    const at = start === 0 ? mark : start;
    const text = markdown.slice(at, end);
    if (end < markdown.length) end += code === 13 && markdown.charCodeAt(end + 1) === 10 ? 2 : 1;
    lines.push({
      start,
      end,
      text,
      at,
      indent: indentOf(text),
      blank: text.trim() === "",
      kind: "text",
      within: 0,
    });
    start = end;
  }
  return lines;
}

/** How many marks of quotes a line starts with, `most` of them at most, and where the text behind them starts. */
function quoteOf(text: string, most = Number.POSITIVE_INFINITY): { marks: number; end: number } {
  let [marks, end] = [0, 0];
  QUOTE.lastIndex = 0;
  while (marks < most && QUOTE.test(text)) {
    marks += 1;
    end = QUOTE.lastIndex;
  }
  return { marks, end };
}

/** Registers the list items a line opens ("- - text" opens two) and returns the text inside the innermost. */
function openItems(line: Line, items: number[]): string {
  let content = line.text;
  let column = 0;
  for (let opened = 0; opened < MOST_ITEMS && line.indent - line.within < 4; opened += 1) {
    const item = LIST_ITEM.exec(content);
    if (!item || isRule(content)) break;
    const marker = column + indentOf(content) + item[2]!.length;
    content = content.slice(item[0].length);
    const blanks = indentOf(content);
    const start = marker + (content.trim() === "" || blanks > 4 ? 1 : blanks);
    line.item = start;
    items.push(start);
    content = content.trimStart();
    column = start;
  }
  return content;
}
/** On one line; what comes after is text. */
const MOST_ITEMS = 16;

/** Whether a closing text still comes after a position; looks for each closing text once. */
function closers(markdown: string): (end: string, after: number) => boolean {
  const last = new Map<string, number>();
  return (end, after) => {
    const position = last.get(end) ?? lastIndexOf(markdown, end);
    last.set(end, position);
    return position >= after;
  };
}

function lastIndexOf(markdown: string, end: string): number {
  return Math.max(markdown.lastIndexOf(end), markdown.lastIndexOf(end.toUpperCase()));
}

/** A thematic break: three or more of one mark, with nothing but blanks between. */
export function isRule(text: string): boolean {
  const marks = text.trim();
  const mark = marks[0] ?? "";
  if (!"*-_".includes(mark) || mark === "") return false;
  let count = 0;
  for (const character of marks) {
    if (character === mark) count += 1;
    else if (character !== " " && character !== "\t") return false;
  }
  return count >= 3;
}

function isRunOf(text: string, mark: string): boolean {
  for (const character of text) if (character !== mark) return false;
  return true;
}

function indentOf(text: string): number {
  let columns = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === " ") columns += 1;
    else if (text[at] === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** How many characters of whole blank lines a text starts with. */
export function blankStart(text: string): number {
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === "\n" || character === "\r") end = at + 1;
    else if (character !== " " && character !== "\t") break;
  }
  return end;
}
