import { type HtmlTag, type HtmlToken, htmlSource, readHtml } from "../parser/html.js";
import { heading } from "./heading.js";
import { htmlCode } from "./html-code.js";
import { customBlock } from "./html-custom.js";
import { inlineTokens, pairTags } from "./html-inline.js";
import { figures, type ImageContext } from "./images.js";
import type { InlineContext } from "./inline-context.js";
import { type Block, block, paragraph, verbatim, voidBlock } from "./nodes.js";

/** Elements that end a line of text. */
const BLOCKS = new Set([
  "p",
  "ul",
  "ol",
  "pre",
  "div",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "blockquote",
  "hr",
  "figure",
  "table",
  "details",
]);

/** Blocks in blocks: what lies deeper is kept as it is written. */
const DEEPEST = 20;

/** The blocks of HTML in a cell or caption. What the document does not know is kept as it is written. */
export function htmlBlocks(source: string, context: InlineContext, depth = 0): Block[] {
  const tokens = readHtml(source);
  const ends = pairTags(tokens, (name) => BLOCKS.has(name) && name !== "hr");
  const blocks: Block[] = [];
  let line: HtmlToken[] = [];
  const endLine = () => {
    const blank = line.every((token) => "text" in token && token.text.trim() === "");
    if (!blank) blocks.push(paragraph(inlineTokens(line, context), { html: false }));
    line = [];
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    const end = "text" in token ? undefined : token.name === "hr" && !token.closing ? at : ends.get(at);
    if ("text" in token || end === undefined) {
      line.push(token);
      continue;
    }
    endLine();
    const inner = tokens.slice(at + 1, end);
    const known = context.notes?.length;
    const found = depth < DEEPEST ? elementBlocks(token, inner, context, depth) : undefined;
    if (!found && known !== undefined) context.notes!.length = known;
    blocks.push(...(found ?? [verbatim(htmlSource(tokens.slice(at, end + 1)))]));
    at = end;
  }
  endLine();
  return withOrigin(blocks);
}

/**
 * Blocks of a cell or an item, in which `data.html` marks paragraphs that were elements rather than bare words. It
 * stays where it is not what is written by itself: words alone are no element, between other blocks they are one.
 */
export function withOrigin(blocks: Block[]): Block[] {
  return blocks.map((node) => {
    const { html, ...data } = node.data ?? {};
    const bare = html === false;
    if (node.type !== "paragraph" || bare === (blocks.length === 1)) return bare ? { ...node, data } : node;
    if (bare) return node;
    return Object.keys(data).length > 0 ? node : { ...node, data: { html: true } };
  });
}

const ALIGNED: Record<string, string> = {
  left: "start",
  start: "start",
  center: "center",
  right: "end",
  end: "end",
};

/** What `align` says of a paragraph or heading; undefined when it is no alignment. */
export const alignOf = (align: string | undefined): string | undefined =>
  align === undefined ? undefined : ALIGNED[align];

/** The blocks that an element stands for; undefined when it has a form that the document does not know. */
export function elementBlocks(
  tag: HtmlTag,
  inner: HtmlToken[],
  context: InlineContext,
  depth = 0,
): Block[] | undefined {
  const { name, attrs } = tag;
  const keys = Object.keys(attrs);
  const one = (found: Block | undefined) => found && [found];
  if (name === "div") {
    if (keys.join() === "data-markdown" && inner.every((token) => "text" in token))
      return context.blocks(attrs["data-markdown"]!.replace(/\u2028/g, "\n"));
    if ("data-gb-custom-block" in attrs)
      return one(
        customBlock(
          tag,
          inner,
          (tokens) => htmlBlocks(htmlSource(tokens), context, depth + 1),
          context.resolve,
        ),
      );
    return one(figures(tag, htmlSource(inner), captionsIn(context, depth)));
  }
  if (name === "figure") return one(figures(tag, htmlSource(inner), captionsIn(context, depth)));
  if (name === "p" || /^h[1-6]$/.test(name)) return one(textBlock(tag, inner, context));
  if (name === "hr") return keys.length === 0 ? [voidBlock("divider", {})] : undefined;
  if (name === "blockquote") {
    const nodes = htmlBlocks(htmlSource(inner), context, depth + 1);
    return keys.length === 0 ? [block("blockquote", {}, orEmpty(nodes))] : undefined;
  }
  if (name === "table" || name === "details") return undefined;
  if (name === "pre") return one(htmlCode(tag, htmlSource(inner), context));
  return one(list(tag, inner, context, depth));
}

const captionsIn = ({ resolve, ...context }: InlineContext, depth: number): ImageContext => ({
  ...(resolve && { resolve }),
  blocks: (html) => htmlBlocks(html, { ...context, ...(resolve && { resolve }) }, depth + 1),
});

const orEmpty = (nodes: Block[]): Block[] => (nodes.length > 0 ? nodes : [paragraph([])]);

/** A paragraph or a heading; undefined when it has other attributes than the document knows. */
function textBlock({ name, attrs }: HtmlTag, inner: HtmlToken[], context: InlineContext): Block | undefined {
  const { align: written, id, ...others } = attrs;
  const align = alignOf(written);
  if (Object.keys(others).length > 0 || (written !== undefined && align === undefined)) return undefined;
  if (id !== undefined && (name === "p" || !/^[-a-z0-9.+_]+$/.test(id))) return undefined;
  const nodes = inlineTokens(inner, context);
  if (name === "p") return paragraph(nodes, align ? { align } : {});
  return heading(Number(name.slice(1)), nodes, { ...(id !== undefined && { id }), ...(align && { align }) });
}

function list(
  { name, attrs }: HtmlTag,
  inner: HtmlToken[],
  context: InlineContext,
  depth: number,
): Block | undefined {
  const { start, class: style, ...others } = attrs;
  const known = name === "ol" ? style === undefined : start === undefined && (style ?? TASKS) === TASKS;
  if (!known || Object.keys(others).length > 0 || (start !== undefined && !/^\d{1,9}$/.test(start)))
    return undefined;
  const items = listItems(inner, context, depth);
  if (!items) return undefined;
  if (name === "ol")
    return block("list-ordered", start === undefined || start === "1" ? {} : { start: Number(start) }, items);
  const tasks = items.some(({ data }) => data?.checked !== undefined);
  return (style === TASKS) === tasks ? block(tasks ? "list-tasks" : "list-unordered", {}, items) : undefined;
}
export const TASKS = "contains-task-list";

const BOX = /^\s*<input type="checkbox"( checked(?:="(?:checked)?")?)?\s*\/?>/i;

function listItems(tokens: HtmlToken[], context: InlineContext, depth: number): Block[] | undefined {
  const items: Block[] = [];
  const ends = pairTags(tokens, (name) => name === "li");
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if ("text" in token && token.text.trim() === "") continue;
    const end = ends.get(at);
    if ("text" in token || end === undefined || Object.keys(token.attrs).length > 0) return undefined;
    const source = htmlSource(tokens.slice(at + 1, end));
    const box = BOX.exec(source);
    const nodes = htmlBlocks(box ? source.slice(box[0].length) : source, context, depth + 1);
    items.push(block("list-item", box ? { checked: box[1] !== undefined } : {}, orEmpty(nodes)));
    at = end;
  }
  return items.length > 0 ? items : undefined;
}
