import type { StateBlock } from "markdown-it";
import { hidesBehind } from "../text/hidden-text.js";
import { closingLine, isCode, linesOf, lineText } from "./block-lines.js";
import { elementEnd, holdsMarkdown, tagAround } from "./element-lines.js";
import { isComments } from "./html.js";
import { readTag, type Tag } from "./tags.js";

const CONDITION = /^\s*\{%-?[ \t]*if\b[\s\S]*\{%-?[ \t]*endif[ \t]*-?%\}\s*$/;

/** Whether a source may stand between members: it is a comment or a condition, and hides nothing behind itself. */
export const isAside = (source: string): boolean =>
  (isComments(source) || CONDITION.test(source)) && !hidesBehind(source);

/** The lines of what stands between the tags of one name; undefined when that is no aside, or there is no such tag. */
export function asidesBetween(
  state: StateBlock,
  start: number,
  end: number,
  name: string,
): [first: number, end: number][] | undefined {
  const asides: [number, number][] = [];
  let members = 0;
  for (let line = start; line < end; line += 1) {
    if (state.isEmpty(line)) continue;
    const text = lineText(state, line);
    const close = isCode(state, line) ? undefined : closeOf(state, line, end, text);
    if (close === undefined) return undefined;
    const tag = text.startsWith("<") ? elementTag(state, line, close) : readTag(text);
    if (tag?.name === name) {
      if (!tag.element && close !== line && text.slice(tag.end).trim() !== "") return undefined;
      members += 1;
    } else if (isAside(linesOf(state, line, close + 1))) asides.push([line, close + 1]);
    else return undefined;
    line = close;
  }
  return members > 0 ? asides : undefined;
}

function closeOf(state: StateBlock, line: number, end: number, text: string): number | undefined {
  if (text.startsWith("<!--")) return commentEnd(state, line, end);
  return text.startsWith("<div") ? elementEnd(state, "div", line, end) : closingLine(state, line, end);
}

const elementTag = (state: StateBlock, line: number, close: number): Tag | undefined =>
  holdsMarkdown(state, line, close) ? tagAround(state, line, close) : undefined;

function commentEnd(state: StateBlock, start: number, end: number): number | undefined {
  for (let line = start; line < end; line += 1) if (lineText(state, line).includes("-->")) return line;
  return undefined;
}
