import Parser, { type MarkdownIt, type StateBlock, type Token } from "markdown-it";
import { linesOf, lineText, pushLines } from "./block-lines.js";
import { addBlockRules } from "./block-rules.js";
import { type Budget, boundInline, newBudget, tooWide } from "./bounds.js";
import type { References } from "./definitions.js";
import { addHtmlRules } from "./html-rules.js";
import { addInlineRules } from "./inline-rules.js";
import { makeTokensAtOnce } from "./tokens.js";

const parser = build();
const blockParser = build();
blockParser.core.ruler.enableOnly(["normalize", "block"]);

/**
 * The markdown as tokens: CommonMark, GFM's tables, tasks and strikethrough, tags and the HTML that stands for blocks.
 * What they take is taken off the budget.
 */
export const tokensOf = (markdown: string, budget: Budget): Token[] =>
  parser.parse(markdown, { references: {}, budget });

/** The tokens of blocks alone, lines of text unread: several times faster. Blocks at the top have a `map`. */
export const blockTokensOf = (markdown: string): Token[] =>
  blockParser.parse(markdown, { references: {}, budget: newBudget() });

/** What a line of text is read as: the same for two texts that say the same. */
export function readingOf(line: string): string {
  const parts: unknown[] = [];
  const read = (tokens: Token[]) => {
    for (const { type, content, attrs, children } of tokens) {
      if (type === "text" || type === "text_special") {
        if (typeof parts.at(-1) === "string") parts.push(parts.pop() + content);
        else parts.push(content);
      } else if (type === "plain_url")
        parts.push(["link_open", [["href", content]]], content, ["link_close", null]);
      else if (type === "image") {
        parts.push([type, attrs]);
        read(children ?? []);
        parts.push([]);
      } else parts.push(content === "" ? [type, attrs] : [type, attrs, content]);
    }
  };
  for (const { children } of parser.parseInline(line, { references: {}, budget: newBudget() }))
    read(children ?? []);
  return JSON.stringify(parts);
}

function build(): MarkdownIt {
  const md = new Parser({ html: true, maxNesting: 100 });
  makeTokensAtOnce(md);
  md.core.ruler.disable(["linkify", "replacements", "smartquotes", "strip_references"], true);
  addBlockRules(md);
  addHtmlRules(md);
  addInlineRules(md);
  keepReferences(md);
  keepWideTables(md);
  boundInline(md);
  return md;
}

type Rule = (state: StateBlock, start: number, end: number, silent: boolean) => boolean;
function ruleNamed(md: MarkdownIt, name: string): Rule {
  const { __rules__: rules } = md.block.ruler as unknown as { __rules__: { name: string; fn: Rule }[] };
  return rules.find((rule) => rule.name === name)!.fn;
}

/** A definition keeps its source: one that no link uses would be lost otherwise. */
function keepReferences(md: MarkdownIt): void {
  const rule = ruleNamed(md, "reference");
  md.block.ruler.at("reference", (state, start, end, silent) => {
    const known = state.tokens.length;
    if (!rule(state, start, end, silent)) return false;
    const token = state.tokens[known];
    if (token) {
      token.content = linesOf(state, start, state.line);
      (state.env.references as References)[String(token.meta!.label)]!.definition ??= token;
    }
    return true;
  });
}

/** A heading is no table's header, whatever pipes it has. */
const HEADING = /^#{1,6}(?:[ \t]|$)/;

/** GFM drops the cells of a row that has more than the header; they are kept beside it as they are written. */
function keepWideTables(md: MarkdownIt): void {
  const rule = ruleNamed(md, "table");
  md.block.ruler.at(
    "table",
    (state, start, end, silent) => {
      const known = state.tokens.length;
      if (HEADING.test(lineText(state, start)) || !rule(state, start, end, true)) return false;
      if (silent) return true;
      const columns = cellsIn(lineText(state, start)).length;
      const behind = tooWide(state, start, end, columns);
      if (behind !== undefined) {
        pushLines(state, "verbatim", start, behind);
        return true;
      }
      if (!rule(state, start, end, false)) return false;
      const rows = state.tokens.slice(known).filter(({ type }) => type === "tr_open");
      for (const [index, row] of rows.entries()) {
        const surplus = index === 0 ? "" : surplusOf(lineText(state, start + 1 + index), columns);
        if (surplus !== "") row.meta = { surplus };
      }
      return true;
    },
    { alt: ["paragraph", "reference"] },
  );
}

/** The cells of a line as they are written: pipes that are not escaped are between them, also in code. */
function cellsIn(line: string): string[] {
  const text = line.trim();
  const cells: string[] = [];
  let start = text.startsWith("|") ? 1 : 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] !== "|" || text[at - 1] === "\\") continue;
    cells.push(text.slice(start, at));
    start = at + 1;
  }
  if (start < text.length) cells.push(text.slice(start));
  return cells;
}

/** What a row has behind the last column. */
const surplusOf = (line: string, columns: number): string =>
  cellsIn(line)
    .slice(columns)
    .map((cell) => cell.trim())
    .join(" | ")
    .trim();
