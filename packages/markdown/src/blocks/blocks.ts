import { isRule, type Line, readLines } from "./lines.js";
import { pairLines } from "./pairs.js";

/** A top-level block: the lines `from`..`to` (exclusive), blank lines behind it included. */
export interface Block {
  kind:
    | "blank"
    | "code"
    | "fence"
    | "footnote"
    | "frontmatter"
    | "heading"
    | "html"
    | "list"
    | "paragraph"
    | "quote"
    | "raw"
    | "rule"
    | "tag";
  from: number;
  to: number;
  /** Of a heading; one with an underline is several lines long. */
  level?: number;
}

/**
 * The top-level blocks of a page; joined they are the input, byte for byte. Blank lines belong to the block before
 * them. Frontmatter, lists, tables, fences, HTML elements and `{% tag %}…{% endtag %}` pairs are one block each.
 * Linear in the input's length, never throws.
 */
export function splitBlocks(markdown: string): string[] {
  const lines = readLines(markdown);
  return scanBlocks(lines).map(({ from, to }) => markdown.slice(lines[from]!.start, lines[to - 1]!.end));
}

/** The blocks of a page's lines. Blank lines at the very start belong to the first block. */
export function scanBlocks(lines: Line[]): Block[] {
  const reach = pairLines(lines);
  const blocks: Block[] = [];
  let from = 0;
  while (from < lines.length) {
    const first = skipBlank(lines, from);
    if (first === lines.length) {
      blocks.push({ kind: "blank", from, to: first });
      break;
    }
    const { kind, level } = kindOf(lines[first]!);
    const block: Block = { kind, level, from, to: first + 1 };
    let last = reach[first]!;
    const closed = last > first || /<\/\w+>\s*$/.test(lines[first]!.text);
    for (;;) {
      while (block.to <= last) {
        last = Math.max(last, reach[block.to]!);
        block.to += 1;
      }
      const next = skipBlank(lines, block.to);
      if (next === lines.length || !continues(block, lines, { next, first, closed })) break;
      for (let index = block.to; index <= next; index += 1) last = Math.max(last, reach[index]!);
      block.to = next + 1;
      if (isUnderline(block, lines[next]!)) {
        block.level = lines[next]!.text.includes("=") ? 1 : 2;
        block.kind = "heading";
      }
    }
    block.to = skipBlank(lines, block.to);
    blocks.push(block);
    from = block.to;
  }
  return blocks;
}

const TAG = /^[ \t]*\{%/;
const HTML = /^ {0,3}<(?:\/?[A-Za-z][\w-]*(?=[\s/>]|$)|\?|![A-Z])/;
const INLINE =
  /^ {0,3}<\/?(?:a|abbr|b|bdi|bdo|br|button|cite|code|data|del|dfn|em|i|img|input|ins|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)(?=[\s/>]|$)/i;
const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const FOOTNOTE = /^ {0,3}\[\^[^\]\s]+\]:/;

/** What a line is when a block begins with it. */
export function kindOf(line: Line): Pick<Block, "kind" | "level"> {
  if (line.kind !== "text") return { kind: line.item === undefined ? line.kind : "list" };
  if (line.indent >= 4) return { kind: TAG.test(line.text) ? "tag" : "code" };
  const heading = HEADING.exec(line.text);
  if (heading) return { kind: "heading", level: heading[1]!.length };
  if (isRule(line.text)) return { kind: "rule" };
  if (line.item !== undefined) return { kind: "list" };
  if (TAG.test(line.text)) return { kind: "tag" };
  if (/^ {0,3}>/.test(line.text)) return { kind: "quote" };
  if (FOOTNOTE.test(line.text)) return { kind: "footnote" };
  if (HTML.test(line.text) && !INLINE.test(line.text)) return { kind: "html" };
  return { kind: "paragraph" };
}

interface Position {
  next: number;
  first: number;
  closed: boolean;
}

/** Whether the line `next`, the first after the block that is not blank, still belongs to the block. */
function continues(block: Block, lines: Line[], { next, first, closed }: Position): boolean {
  const line = lines[next]!;
  if (line.kind !== "text" && !line.opens) return line.kind !== "frontmatter" || block.kind === "frontmatter";
  const gap = next > block.to;
  switch (block.kind) {
    case "list":
      if (line.within > 0) return true;
      if (line.item !== undefined) return isSameList(lines[first]!, line);
      return !gap && !interrupts(line);
    case "footnote":
      return gap ? line.indent >= 4 : !interrupts(line) && !FOOTNOTE.test(line.text);
    case "code":
      return line.indent >= 4 && line.kind === "text" && !TAG.test(line.text);
    case "html":
      return !gap && !closed && line.kind === "text";
    case "quote":
      return !gap && (/^ {0,3}>/.test(line.text) || !interrupts(line));
    case "paragraph":
      return !gap && (isUnderline(block, line) || !interrupts(line));
    default:
      return false;
  }
}

/** `===` or `---` under a paragraph makes it a heading. */
const isUnderline = (block: Block, line: Line): boolean =>
  block.kind === "paragraph" && line.kind === "text" && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line.text);

/** Whether a line without a blank one before it ends a paragraph. */
function interrupts(line: Line): boolean {
  if (line.kind !== "text") return true;
  if (line.item !== undefined) return /^[ \t]*(?:[*+-]|1[.)])[ \t]+\S/.test(line.text);
  const { kind } = kindOf(line);
  return kind !== "paragraph" && kind !== "code" && kind !== "footnote";
}

/** Lists of another mark (`*` and `-`, `1.` and `1)`) are other lists. */
const isSameList = (first: Line, line: Line): boolean => listMark(first) === listMark(line);
const listMark = (line: Line): string => /^[ \t]*\d*([*+.)-])/.exec(line.text)?.[1] ?? "";

/** The first line from `index` on that is not blank, or the number of lines. Blank lines of code are not blank. */
function skipBlank(lines: Line[], index: number): number {
  let next = index;
  while (next < lines.length && lines[next]!.blank && lines[next]!.kind === "text") next += 1;
  return next;
}
