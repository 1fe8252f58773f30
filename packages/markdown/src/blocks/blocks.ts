import type { Token } from "markdown-it";
import { blockTokensOf } from "../parser/parser.js";
import { findFrontmatter } from "../yaml/frontmatter.js";
import { cutLines, type Line } from "./lines.js";
import { pairLines } from "./pairs.js";

/** A top-level block: the lines `from`..`to` (exclusive), blank lines behind it included. */
export interface Block {
  /** The token that the block begins with; frontmatter and a page of blank lines have none. */
  token?: Token;
  from: number;
  to: number;
}

/**
 * The top-level blocks of a page; joined they are the input, byte for byte. Blank lines belong to the block before
 * them. Frontmatter, lists, tables, fences, HTML elements and `{% tag %}…{% endtag %}` pairs are one block each.
 * Linear in the input's length, never throws.
 */
export function splitBlocks(markdown: string): string[] {
  const lines = cutLines(markdown);
  return scanBlocks(markdown, lines).map(({ from, to }) =>
    markdown.slice(lines[from]!.start, lines[to - 1]!.end),
  );
}

/**
 * The blocks of a page's lines: those that its document has at the top. What an element, a tag or a formula opens and a
 * later block closes is one block. Blank lines at the very start belong to the first block.
 */
export function scanBlocks(markdown: string, lines: Line[] = cutLines(markdown)): Block[] {
  const front = findFrontmatter(markdown)?.after ?? 0;
  const top = lines.findLastIndex(({ start }) => start < front) + 1;
  const tokens = blockTokensOf(markdown.slice(lines[top]?.at ?? markdown.length));
  const reach = pairLines(lines, hiddenLines(tokens, top));
  const blocks: Block[] = top > 0 ? [{ from: 0, to: lines.length }] : [];
  let seen = top;
  let last = 0;
  let joined = false;
  for (const token of tokens) {
    if (token.level > 0 || token.nesting < 0) continue;
    const from = top + token.map![0];
    for (; seen < from; seen += 1) last = Math.max(last, reach[seen]!);
    const before = blocks.at(-1);
    if (before && (last >= from || (joined && goesOn(before, token)))) {
      joined = true;
      continue;
    }
    joined = false;
    if (before) before.to = from;
    blocks.push({ token, from: before ? from : 0, to: lines.length });
  }
  if (blocks.length === 0 && lines.length > 0) blocks.push({ from: 0, to: lines.length });
  return blocks;
}

/** A list goes on behind a tag in it whose lines are not indented. */
const goesOn = ({ token }: Block, next: Token): boolean =>
  /^(?:bullet|ordered)_list_open$/.test(next.type) &&
  token?.type === next.type &&
  token.markup === next.markup;

const CODE = new Set(["fence", "code_block"]);
const RAW = /^\s*<(?:!--|(?:pre|script|style|textarea)(?=[\s>]))/i;

/** The lines of frontmatter, code and raw HTML, in which nothing opens or closes. */
function hiddenLines(tokens: Token[], top: number): Set<number> {
  const hidden = new Set<number>(Array.from({ length: top }, (_, line) => line));
  for (const { type, map, content, nesting } of tokens) {
    if (!map || nesting !== 0 || !(CODE.has(type) || RAW.test(content))) continue;
    for (let line = map[0]; line < map[1]; line += 1) hidden.add(top + line);
  }
  return hidden;
}
