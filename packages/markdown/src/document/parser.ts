import Parser, { type MarkdownIt, type StateBlock, type Token } from "markdown-it";
import { addBlockRules, linesOf, lineText, pushLines } from "./block-rules.js";
import { type Budget, boundInline, tooWide } from "./bounds.js";
import type { References } from "./definitions.js";
import { addHtmlRules } from "./html-rules.js";
import { addInlineRules } from "./inline-rules.js";

const parser = build();

/**
 * The markdown as tokens: CommonMark, GFM's tables, tasks and strikethrough, tags and the HTML that stands for blocks.
 * What they take is taken off the budget.
 */
export const tokensOf = (markdown: string, budget: Budget): Token[] =>
  parser.parse(markdown, { references: {}, budget });

function build(): MarkdownIt {
  const md = new Parser({ html: true, maxNesting: 100 });
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

/** GFM drops the cells of a row that has more than the header; a table with such a row stays as it is written. */
function keepWideTables(md: MarkdownIt): void {
  const rule = ruleNamed(md, "table");
  md.block.ruler.at(
    "table",
    (state, start, end, silent) => {
      const [known, level] = [state.tokens.length, state.level];
      if (!rule(state, start, end, true)) return false;
      if (silent) return true;
      const columns = cellsOf(lineText(state, start));
      const behind = tooWide(state, start, end, columns);
      if (behind !== undefined) {
        pushLines(state, "verbatim", start, behind);
        return true;
      }
      if (!rule(state, start, end, false)) return false;
      for (let line = start + 2; line < state.line; line += 1) {
        if (cellsOf(lineText(state, line)) <= columns) continue;
        state.tokens.length = known;
        state.level = level;
        const token = state.push("verbatim", "", 0);
        token.map = [start, state.line];
        token.content = linesOf(state, start, state.line);
        break;
      }
      return true;
    },
    { alt: ["paragraph", "reference"] },
  );
}

function cellsOf(line: string): number {
  const text = line.trim().replace(/^\|/, "");
  let cells = 1;
  for (let at = 0; at < text.length; at += 1) if (text[at] === "|" && text[at - 1] !== "\\") cells += 1;
  return text.endsWith("|") && !text.endsWith("\\|") ? cells - 1 : cells;
}
