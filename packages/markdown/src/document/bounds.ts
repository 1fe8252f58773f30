import type { MarkdownIt, StateBlock, StateCore } from "markdown-it";
import { eachLine, hideDefinitions, type References } from "./definitions.js";

/**
 * What one parse may make, in tokens: a page can be written so that it makes several for each of its characters. What
 * lies beyond is kept as it is written.
 */
export const MOST_TOKENS = 100_000;
/** Tags in one piece of HTML that is read as a table or another block. */
export const MOST_TAGS = 50_000;

const BEGINS = new Set([..."*_~`[]<>!&\\:$\n{"].map((one) => one.charCodeAt(0)));

/** At most how many tokens a line of text makes: one for each character that may begin or end something. */
function inlineCost(text: string): number {
  let cost = 1;
  for (let at = 0; at < text.length; at += 1) if (BEGINS.has(text.charCodeAt(at))) cost += 1;
  return cost;
}

/** Lines of text are read until the bound is reached; those behind it are one token. */
export function boundInline(md: MarkdownIt): void {
  md.core.ruler.at("inline", (state: StateCore) => {
    const all: References = state.env.references ?? {};
    readLines(md, state, all);
    if (hideDefinitions(state.tokens, all)) readLines(md, state, all);
  });
}

function readLines(md: MarkdownIt, { tokens, env, Token }: StateCore, all: References): void {
  let made = tokens.length;
  eachLine(tokens, all, (token, references) => {
    const cost = inlineCost(token.content);
    token.children = [];
    if (made + cost <= MOST_TOKENS) {
      made += cost;
      md.inline.parse(token.content, md, Object.assign(env, { references }), token.children);
      return;
    }
    const kept = new Token("kept", "", 0);
    kept.content = token.content;
    token.children.push(kept);
  });
}

/** The line behind a table, when its rows would make more tokens than are left. */
export function tooWide(state: StateBlock, start: number, end: number, columns: number): number | undefined {
  let line = start + 2;
  while (line < end && !state.isEmpty(line) && state.sCount[line]! >= state.blkIndent) line += 1;
  return state.tokens.length + (line - start) * columns * 3 > MOST_TOKENS ? line : undefined;
}

export function countOf(source: string, piece: string): number {
  let count = 0;
  for (let at = source.indexOf(piece); at >= 0; at = source.indexOf(piece, at + 1)) count += 1;
  return count;
}
