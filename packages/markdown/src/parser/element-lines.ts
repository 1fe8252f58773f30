import type { StateBlock } from "markdown-it";
import { lineText } from "./block-lines.js";
import { customTag } from "./custom-tag.js";
import { readHtmlTag } from "./html.js";
import type { Tag } from "./tags.js";

/** Whether a div from line `start` to line `close` is around markdown: a blank line comes first, or a fence, which HTML has none of. */
export const holdsMarkdown = (state: StateBlock, start: number, close: number): boolean =>
  close > start + 1 && (state.isEmpty(start + 1) || /^(?:`{3}|~{3})/.test(lineText(state, start + 1)));

/** The tag that a div around markdown stands for, when nothing else is on its lines `start` and `close`. */
export function tagAround(state: StateBlock, start: number, close: number): Tag | undefined {
  const first = lineText(state, start);
  const tag = lineText(state, close).trim() === "</div>" ? readHtmlTag(first) : undefined;
  const read = tag && first.slice(tag.end).trim() === "" ? customTag(tag) : undefined;
  return read && { ...read, element: true };
}

/** The line that ends with the element's end tag, in the same container. */
export function elementEnd(state: StateBlock, name: string, start: number, end: number): number | undefined {
  const line = elementEnds(state, name).get(start);
  if (line === undefined || line >= end) return undefined;
  if (!lineText(state, line).trimEnd().toLowerCase().endsWith(`</${name}>`)) return undefined;
  const blanks = name === "pre" || name === "table" || name === "div";
  for (let at = start + 1; at <= line; at += 1) {
    if (state.isEmpty(at) ? !blanks : state.sCount[at]! < state.blkIndent) return undefined;
  }
  return line;
}

/** By the lines in which elements of a name begin those in which they end, found once for the whole source. */
function elementEnds(state: StateBlock, name: string): Map<number, number> {
  state.env.ends ??= new Map();
  const known = state.env.ends as Map<string, Map<number, number>>;
  let ends = known.get(name);
  if (ends) return ends;
  ends = new Map();
  known.set(name, ends);
  const open: number[] = [];
  let line = 0;
  let next = state.src.indexOf("\n");
  for (const { 0: tag, index } of state.src.matchAll(new RegExp(`</?${name}(?=[\\s>])`, "gi"))) {
    for (; next >= 0 && next < index; next = state.src.indexOf("\n", next + 1)) line += 1;
    if (tag[1] !== "/") open.push(line);
    else if (open.length > 0) ends.set(open.pop()!, line);
  }
  return ends;
}
