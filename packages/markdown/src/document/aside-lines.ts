import type { StateBlock } from "markdown-it";
import { isAside } from "./asides.js";
import { closingLine, isCode, linesOf, lineText } from "./block-lines.js";
import { readTag } from "./tags.js";

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
    const close = isCode(state, line)
      ? undefined
      : text.startsWith("<!--")
        ? commentEnd(state, line, end)
        : closingLine(state, line, end);
    if (close === undefined) return undefined;
    const tag = readTag(text);
    if (tag?.name === name) {
      if (close !== line && text.slice(tag.end).trim() !== "") return undefined;
      members += 1;
    } else if (isAside(linesOf(state, line, close + 1))) asides.push([line, close + 1]);
    else return undefined;
    line = close;
  }
  return members > 0 ? asides : undefined;
}

function commentEnd(state: StateBlock, start: number, end: number): number | undefined {
  for (let line = start; line < end; line += 1) if (lineText(state, line).includes("-->")) return line;
  return undefined;
}
