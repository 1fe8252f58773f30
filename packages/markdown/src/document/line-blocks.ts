import type { Token } from "markdown-it";
import { type HtmlTag, readHtmlTag } from "../parser/html.js";
import { withOrigin } from "./html-blocks.js";
import { pairTags } from "./html-inline.js";
import type { InlineContext } from "./inline-context.js";
import { type Block, block, paragraph } from "./nodes.js";
import { inlineNodes } from "./parse-inline.js";

// A cell of a pipe table is one line of markdown. Paragraphs and lists in it are elements, with markdown in them.

const BLOCKS = new Set(["p", "ul", "ol", "li"]);
const DEEPEST = 20;

interface Line {
  tokens: Token[];
  /** The tags of elements that stand for blocks, by their places; other tokens have none. */
  tags: (HtmlTag | undefined)[];
  ends: Map<number, number>;
  context: InlineContext;
}

/** The blocks of a line that has paragraphs or lists; undefined when it has none, or others than can be written again. */
export function blocksInLine(tokens: Token[], context: InlineContext): Block[] | undefined {
  let depth = 0;
  const tags = tokens.map((token) => {
    depth += token.nesting;
    const tag = token.type === "html_inline" && depth === 0 ? readHtmlTag(token.content) : undefined;
    return tag && BLOCKS.has(tag.name) && isKnown(tag) ? tag : undefined;
  });
  if (!tags.some((tag) => tag !== undefined)) return undefined;
  const ends = pairTags(
    tags.map((tag) => tag ?? { text: "" }),
    () => true,
  );
  if (tags.filter((tag) => tag !== undefined).length !== ends.size * 2) return undefined;
  return blocksIn({ tokens, tags, ends, context }, 0, tokens.length, 0);
}

const isKnown = ({ name, attrs }: HtmlTag): boolean =>
  Object.entries(attrs).every(([key, value]) => name === "ol" && key === "start" && /^\d{1,9}$/.test(value));

function blocksIn(line: Line, from: number, to: number, depth: number): Block[] | undefined {
  if (depth > DEEPEST) return undefined;
  const { tokens, tags, ends, context } = line;
  const blocks: Block[] = [];
  let start = from;
  const endText = (end: number) => {
    const nodes = inlineNodes(tokens.slice(start, end), context);
    const blank = tokens
      .slice(start, end)
      .every(({ type, content }) => type === "text" && content.trim() === "");
    if (!blank) blocks.push(paragraph(nodes, { html: false }));
  };
  for (let at = from; at < to; at += 1) {
    const tag = tags[at];
    if (!tag) continue;
    const end = ends.get(at)!;
    endText(at);
    const found = tag.name === "p" ? textOf(line, at + 1, end) : list(line, tag, at + 1, end, depth);
    if (!found) return undefined;
    blocks.push(found);
    at = end;
    start = end + 1;
  }
  endText(to);
  return withOrigin(blocks);
}

function textOf({ tokens, tags, context }: Line, from: number, to: number): Block | undefined {
  for (let at = from; at < to; at += 1) if (tags[at]) return undefined;
  return paragraph(inlineNodes(tokens.slice(from, to), context));
}

function list(
  line: Line,
  { name, attrs }: HtmlTag,
  from: number,
  to: number,
  depth: number,
): Block | undefined {
  const { tokens, tags, ends } = line;
  if (name === "li") return undefined;
  const items: Block[] = [];
  for (let at = from; at < to; at += 1) {
    if (!tags[at] && tokens[at]!.type === "text" && tokens[at]!.content.trim() === "") continue;
    if (tags[at]?.name !== "li") return undefined;
    const end = ends.get(at)!;
    const nodes = blocksIn(line, at + 1, end, depth + 1);
    if (!nodes) return undefined;
    items.push(block("list-item", {}, nodes.length > 0 ? nodes : [paragraph([])]));
    at = end;
  }
  if (items.length === 0) return undefined;
  const start = Number(attrs.start ?? 1);
  return block(name === "ol" ? "list-ordered" : "list-unordered", start === 1 ? {} : { start }, items);
}
