import type { MarkdownIt, StateBlock } from "markdown-it";
import { joinedSource } from "./blanks.js";
import { closingLine, isCode, linesOf, lineText, pushBlocks, pushInline, pushLines } from "./block-rules.js";

/** Elements that stand inside a line of text even when they start it. */
export const WITHIN_TEXT =
  /^<\/?(?:img|a|mark|strong|b|em|i|del|s|kbd|sub|sup|code|span|br|button|picture)(?=[\s/>])/i;
/** Elements that are read whole, up to their end. */
const FORM = /^<(figure|div|table|pre|p|h[1-6])(?=[\s>])/i;
export const DRAWING = /^<img\s[^<>]*class="gitbook-drawing"[^<>]*>\s*$/i;

/** Teaches the parser the HTML that stands for blocks; other HTML goes through as one token. */
export function addHtmlRules(md: MarkdownIt): void {
  const { ruler } = md.block;
  const alt = ["paragraph", "reference", "blockquote", "list"];
  ruler.before("html_block", "html_form", form, { alt });
  ruler.before("html_block", "html_within_text", withinText);
}

/** HTML that would be a block by its first tag alone but is text. */
function withinText(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  if (silent || isCode(state, start) || !startsWithTag(state, start)) return false;
  if (!WITHIN_TEXT.test(lineText(state, start))) return false;
  const rules = state.md.block.ruler.getRules("");
  return rules.at(-1)!(state, start, end, false);
}

const startsWithTag = (state: StateBlock, line: number): boolean =>
  state.src.charCodeAt(state.bMarks[line]! + state.tShift[line]!) === 60;

function form(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  if (isCode(state, start) || !startsWithTag(state, start)) return false;
  const text = lineText(state, start);
  if (DRAWING.test(text)) {
    if (!silent) pushLines(state, "html_form", start, start + 1);
    return true;
  }
  if (/^<details[\s>]/i.test(text)) return details(state, start, end, silent);
  const name = FORM.exec(text)?.[1]?.toLowerCase();
  if (!name) return false;
  const close = elementEnd(state, name, start, end);
  if (close === undefined) return false;
  if (!silent) pushLines(state, "html_form", start, close + 1);
  return true;
}

/** The line that ends with the element's end tag, in the same container. */
function elementEnd(state: StateBlock, name: string, start: number, end: number): number | undefined {
  const closing = `</${name}>`;
  const line = firstFrom(closingLines(state, closing), start);
  if (line === undefined || line >= end) return undefined;
  if (!lineText(state, line).trimEnd().toLowerCase().endsWith(closing)) return undefined;
  const blanks = name === "pre" || name === "table" || name === "div";
  for (let at = start + 1; at <= line; at += 1) {
    if (state.isEmpty(at) ? !blanks : state.sCount[at]! < state.blkIndent) return undefined;
  }
  return line;
}

/** The lines that hold a closing tag, found once for the whole source. */
function closingLines(state: StateBlock, closing: string): number[] {
  state.env.closing ??= new Map();
  const known = state.env.closing as Map<string, number[]>;
  let lines = known.get(closing);
  if (lines) return lines;
  lines = [];
  let line = 0;
  const lower = state.src.toLowerCase();
  let end = lower.indexOf("\n");
  for (let hit = lower.indexOf(closing); hit >= 0; hit = lower.indexOf(closing, hit + 1)) {
    for (; end >= 0 && end < hit; end = lower.indexOf("\n", end + 1)) line += 1;
    if (lines.at(-1) !== line) lines.push(line);
  }
  known.set(closing, lines);
  return lines;
}

function firstFrom(lines: number[], start: number): number | undefined {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return lines[low];
}

const DETAILS = /^<details(\s[^<>]*)?>\s*<summary(?:\s[^<>]*)?>([\s\S]*?)<\/summary>([\s\S]*)$/i;

function details(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const close = closingLine(state, start, end);
  if (close === undefined) return false;
  if (silent) return true;
  let body = start;
  while (body < close && !lineText(state, body).toLowerCase().includes("</summary>")) body += 1;
  const match = DETAILS.exec(linesOf(state, start, body + 1));
  const rest =
    match?.[3]
      ?.trim()
      .replace(/<\/details>$/i, "")
      .trim() ?? "";
  const whole = body === close && start === close;
  if (
    !match ||
    (rest !== "" && !whole) ||
    (body === close && !whole) ||
    match[1]?.replace(/\sopen(=("")?(""|"open"|"true"))?\s*$/i, "").trim()
  ) {
    pushLines(state, "verbatim", start, close + 1);
    return true;
  }
  const token = state.push("details_open", "", 1);
  token.map = [start, close + 1];
  token.meta = { open: /\bopen\b/i.test(match[1] ?? "") };
  pushInline(state, joinedSource(match[2]!));
  if (!whole) pushBlocks(state, body + 1, close);
  else if (rest !== "") {
    state.push("paragraph_open", "p", 1);
    pushInline(state, rest);
    state.push("paragraph_close", "p", -1);
  }
  state.push("details_close", "", -1);
  state.line = close + 1;
  return true;
}
