import type { MarkdownIt, StateBlock, StateCore, StateInline } from "markdown-it";
import { eachLine, hideDefinitions, type References } from "./definitions.js";

/**
 * What the reading of one document may make, with the markdown inside its HTML: a page can be written so that it makes
 * much more than it says. What lies beyond is kept as it is written.
 */
export interface Budget {
  /** A page can make several tokens for each of its characters. */
  tokens: number;
  /** Tags in HTML that is read as tables or other blocks. */
  tags: number;
  /** What is defined once and used again, in characters, each node counting as fifty: addresses of links, and notes. */
  repeated: number;
}

/** Creates the budget of one document: 100,000 tokens, 200,000 tags, 2,000,000 repeated characters. */
export const newBudget = (): Budget => ({ tokens: 100_000, tags: 200_000, repeated: 2_000_000 });

/** Tags in one piece of HTML. */
const MOST_TAGS = 50_000;
/** What a node counts as, in characters. */
export const NODE_WEIGHT = 50;

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
    let made = readLines(md, state, all);
    if (hideDefinitions(state.tokens, all)) made = readLines(md, state, all);
    const budget = state.env.budget as Budget;
    budget.tokens = Math.max(0, budget.tokens - made);
    budget.repeated = Math.max(0, (state.env.repeats as Repeats).left);
  });
  boundRepeats(md);
}

/** Reads the lines of text, and returns how many tokens there are then. */
function readLines(md: MarkdownIt, { tokens, env, Token }: StateCore, all: References): number {
  const budget = env.budget as Budget;
  env.repeats = { left: budget.repeated, seen: new Set() } satisfies Repeats;
  let made = tokens.length;
  eachLine(tokens, all, (token, references) => {
    const cost = inlineCost(token.content);
    token.children = [];
    if (made + cost <= budget.tokens) {
      made += cost;
      md.inline.parse(token.content, md, Object.assign(env, { references }), token.children);
      return;
    }
    const kept = new Token("kept", "", 0);
    kept.content = token.content;
    token.children.push(kept);
  });
  return made;
}

/** The definitions that links have used, and what those that use one again may still say. */
interface Repeats {
  left: number;
  seen: Set<unknown>;
}

/** A definition that is used again repeats its address. Beyond the bound, labels of links are plain words. */
function boundRepeats(md: MarkdownIt): void {
  for (const name of ["link", "image"]) {
    const rule = inlineRule(md, name);
    md.inline.ruler.at(name, (state, silent) => {
      const { env, tokens } = state;
      const repeats = env.repeats as Repeats;
      if (repeats.left < 0) env.references = {};
      const known = tokens.length;
      if (!rule(state, silent)) return false;
      if (silent) return true;
      // Words before it may have become a token of their own.
      const token = tokens[known]?.type === "text" ? tokens[known + 1] : tokens[known];
      const label = token?.meta?.label;
      const definition = label === undefined ? undefined : (env.references as References)[String(label)];
      if (!definition) return true;
      if (repeats.seen.has(definition)) repeats.left -= definition.href.length + definition.title.length;
      repeats.seen.add(definition);
      return true;
    });
  }
}

type InlineRule = (state: StateInline, silent: boolean) => boolean;
function inlineRule(md: MarkdownIt, name: string): InlineRule {
  const { __rules__: rules } = md.inline.ruler as unknown as {
    __rules__: { name: string; fn: InlineRule }[];
  };
  return rules.find((rule) => rule.name === name)!.fn;
}

/** The line behind a table, when its rows would make more tokens than are left. */
export function tooWide(state: StateBlock, start: number, end: number, columns: number): number | undefined {
  let line = start + 2;
  while (line < end && !state.isEmpty(line) && state.sCount[line]! >= state.blkIndent) line += 1;
  const { tokens } = state.env.budget as Budget;
  return state.tokens.length + (line - start) * columns * 3 > tokens ? line : undefined;
}

/** Whether a piece of HTML has no more tags than are left, which it uses up then. */
export function takeTags(source: string, budget: Budget): boolean {
  const tags = countOf(source, "<");
  if (tags > MOST_TAGS || tags > budget.tags) return false;
  budget.tags -= tags;
  return true;
}

function countOf(source: string, piece: string): number {
  let count = 0;
  for (let at = source.indexOf(piece); at >= 0; at = source.indexOf(piece, at + 1)) count += 1;
  return count;
}
