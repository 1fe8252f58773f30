import type { StateBlock, Token } from "markdown-it";
import { trimmedSource } from "./blanks.js";
import { findRanges, type Ranges } from "./ranges.js";

/** The source of lines without what the containers around them put before it. */
export const linesOf = (state: StateBlock, start: number, end: number): string =>
  state.getLines(start, end, state.blkIndent, false);

/** Returns the text of a line without its indentation and what the containers around it put before it. */
export const lineText = (state: StateBlock, line: number): string =>
  state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]);

/** Returns whether a line is indented so far (four columns) that it is code. */
export const isCode = (state: StateBlock, line: number): boolean =>
  state.sCount[line]! - state.blkIndent >= 4;

/** A token for lines that are consumed whole. */
export function pushLines(state: StateBlock, type: string, start: number, end: number): Token {
  const token = state.push(type, "", 0);
  token.content = linesOf(state, start, end);
  token.map = [start, end];
  token.meta = {};
  state.line = end;
  return token;
}

/** Adds a token of inline content that is still to be parsed. */
export function pushInline(state: StateBlock, content: string): void {
  const token = state.push("inline", "", 0);
  token.content = trimmedSource(content);
  token.children = [];
}

/** The closing line when it belongs to the same container; all lines between do, too. */
export function closingLine(state: StateBlock, start: number, end: number): number | undefined {
  state.env.ranges ??= findRanges(state.src);
  const close = (state.env.ranges as Ranges).get(start);
  if (close === undefined || close >= end) return undefined;
  for (let line = start + 1; line <= close; line += 1) {
    if (state.sCount[line]! < state.blkIndent && !state.isEmpty(line)) return undefined;
  }
  return close;
}

/** Parses lines as the blocks of a container. */
export function pushBlocks(state: StateBlock, start: number, end: number): void {
  const { parentType, lineMax } = state;
  state.parentType = "container";
  state.lineMax = end;
  state.md.block.tokenize(state, start, end);
  state.parentType = parentType;
  state.lineMax = lineMax;
}
