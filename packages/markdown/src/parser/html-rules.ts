import type { MarkdownIt, StateBlock } from "markdown-it";
import { joinedSource } from "./blanks.js";
import { closingLine, isCode, linesOf, lineText, pushBlocks, pushInline, pushLines } from "./block-lines.js";
import { pushTag } from "./block-rules.js";
import { elementEnd, holdsMarkdown, tagAround } from "./element-lines.js";

/** Elements that stand inside a line of text even when they start it. */
export const WITHIN_TEXT =
  /^<\/?(?:img|a|mark|strong|b|em|i|del|s|kbd|sub|sup|code|span|br|button|picture)(?=[\s/>])/i;
/** Elements that are read whole, up to their end. */
const FORM = /^<(figure|div|table|pre|p|ul|ol|blockquote|h[1-6])(?=[\s>])/i;
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
  if (name === "div" && holdsMarkdown(state, start, close)) {
    const tag = tagAround(state, start, close);
    if (!tag) return false;
    if (!silent) pushTag(state, start, close, tag);
    return true;
  }
  if (!silent) pushLines(state, "html_form", start, close + 1);
  return true;
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
