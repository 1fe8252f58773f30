import { htmlAttrs } from "../parser/html.js";
import { composeSource, readSource } from "../source/source.js";
import { readFrontmatter } from "../yaml/frontmatter.js";
import { headingDepth } from "./heading.js";
import {
  type Block,
  blocksOf,
  type Data,
  type Fragment,
  inlinesOf,
  type JSONDocument,
  linesText,
} from "./nodes.js";
import { type Address, addressOf } from "./refs.js";
import { renderCode } from "./render-code.js";
import { blockHtml, captionsBy, htmlInline } from "./render-html.js";
import { imagesHtml, lengthValue } from "./render-images.js";
import { renderInline, type Writer } from "./render-inline.js";
import { indent } from "./render-lines.js";
import { bulletOf, isList, renderList, sameList } from "./render-list.js";
import { renderTable } from "./render-table.js";
import { renderTag } from "./render-tag.js";
import type { BlockWriter } from "./writer.js";

export interface RenderOptions {
  /** What to write for refs that are no urls: the reverse of parseDocument's `resolve`. */
  address?: Address;
}

/** Blocks deeper than this are written as their words. */
const DEEPEST = 80;

/**
 * A document as the body of a page: no frontmatter, no title; composeSource or replaceBody put it into a page. Reading
 * it again with `{ body: true }` gives the same document.
 */
export function renderDocument(document: JSONDocument, options: RenderOptions = {}): string {
  const taken = new Set<string>();
  const defines = readKept(document.nodes, taken);
  const notes: (Fragment | undefined)[] = [];
  const labels: string[] = [];
  let next = 0;
  const writer = writerOf({ ...options, defines }, (body) => {
    do next += 1;
    while (taken.has(String(next)));
    notes.push(body);
    labels.push(String(next));
    return String(next);
  });
  const parts = [writer.blocks(document.nodes)];
  for (let at = 0; at < notes.length; at += 1)
    parts.push(note(labels[at]!, notes[at], { ...options, defines }));
  const text = parts.filter((part) => part !== "").join("\n\n");
  return text === "" ? "" : `${text}\n`;
}

/** A page's markdown with another body: frontmatter and title stay as they are. */
export function replaceBody(markdown: string, body: string): string {
  const { range, doc } = readFrontmatter(markdown);
  const head = range && doc ? `${markdown.slice(0, range.after).trimEnd()}\n` : "";
  const { title } = readSource(markdown);
  const titled = title && readSource(head).title !== title ? composeSource({ title }, head) : head;
  return [titled.trimEnd(), body].filter((part) => part !== "").join("\n\n") + (body === "" ? "\n" : "");
}

function writerOf(
  { address, defines }: Pick<Writer, "address" | "defines">,
  footnote: Writer["footnote"],
): BlockWriter {
  const at = (depth: number): BlockWriter => {
    const writer: BlockWriter = {
      ...(address && { address }),
      footnote,
      oneLine: false,
      defines,
      depth,
      blocks: (nodes) => renderBlocks(nodes, writer),
      document: (nodes) =>
        renderDocument({ object: "document", data: {}, nodes }, address && { address }).trimEnd(),
      deeper: () => at(depth + 1),
    };
    return writer;
  };
  return at(0);
}

/** Notes inside notes are written as their words. */
function note(label: string, body: Fragment | undefined, of: Pick<Writer, "address" | "defines">): string {
  const source = writerOf(of, () => "").blocks(body?.nodes ?? []);
  return source === "" ? `[^${label}]:` : `[^${label}]: ${indent(source, "    ")}`;
}

/** Finds the labels of notes in source that is kept as it is, and returns whether that may define labels of links. */
function readKept(nodes: Block[], labels: Set<string>, depth = 0): boolean {
  let defines = false;
  for (const node of nodes) {
    if (node.type === "code" && node.data?.verbatim === true) {
      const source = linesText(node);
      for (const [, label] of source.matchAll(/\[\^(\d+)\]/g)) labels.add(label!);
      defines ||= source.includes("]:");
    } else if (depth < DEEPEST) {
      defines = readKept(blocksOf(node), labels, depth + 1) || defines;
      for (const { nodes: inner } of node.fragments ?? [])
        defines = readKept(inner, labels, depth + 1) || defines;
    }
  }
  return defines;
}

function renderBlocks(nodes: Block[], writer: BlockWriter): string {
  const parts: string[] = [];
  let bullet = "";
  for (const [index, node] of nodes.entries()) {
    const other = isList(node) && index > 0 && sameList(nodes[index - 1]!, node);
    if (isList(node)) bullet = bulletOf(node, other ? bullet : "");
    const list = isList(node) && node.data?.html !== true;
    const source = list ? renderList(node, bullet, writer) : renderBlock(node, writer, bullet);
    if (source !== "") parts.push(source);
  }
  return parts.join("\n\n");
}

function renderBlock(node: Block, writer: BlockWriter, bullet: string): string {
  const { type, data = {}, fragments = [] } = node;
  if (writer.depth > DEEPEST)
    return renderInline(
      [{ object: "text", leaves: [{ object: "leaf", text: deepText(node), marks: [] }] }],
      writer,
    );
  const element = data.html === true ? blockHtml(node, writer.deeper()) : undefined;
  if (element !== undefined) return element;
  if (isList(node)) return renderList(node, bullet, writer);
  switch (type) {
    case "paragraph":
      if (data.align !== undefined)
        return `<p${htmlAttrs({ align: alignText(data.align) })}>${htmlInline(inlinesOf(node), writer)}</p>`;
      return renderInline(inlinesOf(node), writer);
    case "heading-1":
    case "heading-2":
    case "heading-3":
      return heading(node, writer);
    case "divider":
      return "***";
    case "blockquote":
      return quote(inner(node, writer));
    case "code":
      return renderCode(node, writer);
    case "math":
      return `$$\n${String(data.formula ?? "")}\n$$`;
    case "images":
      return imagesHtml(node, captionsBy(writer));
    case "image":
      return imagesHtml({ ...node, type: "images", data: {}, nodes: [node] }, captionsBy(writer));
    case "drawing":
      return drawing(data, writer);
    case "expandable":
      return expandable(data, fragments, writer);
    case "table":
      return renderTable(node, writer);
    default:
      return renderTag(node, writer.deeper());
  }
}

const inner = (node: Block, writer: BlockWriter): string => writer.deeper().blocks(blocksOf(node));

/** The words of a block and of what is in it, found without recursion. */
function deepText(node: Block): string {
  const words: string[] = [];
  const open: unknown[] = [node];
  while (open.length > 0) {
    const next = open.pop() as {
      text?: unknown;
      nodes?: unknown[];
      leaves?: unknown[];
      fragments?: { nodes: unknown[] }[];
    };
    if (typeof next.text === "string") words.push(next.text);
    const below = [...(next.nodes ?? []), ...(next.leaves ?? []), ...(next.fragments ?? [])];
    for (let at = below.length - 1; at >= 0; at -= 1) open.push(below[at]);
  }
  return words.join(" ");
}

/** Not by `^`, which takes other separators than a line's end for one. */
const quote = (source: string): string =>
  source
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");

const alignText = (align: unknown): unknown =>
  align === "start" ? "left" : align === "end" ? "right" : align;

function heading(node: Block, writer: BlockWriter): string {
  const { id, align } = node.data ?? {};
  const depth = headingDepth(node);
  if (align !== undefined) {
    return `<h${depth}${htmlAttrs({ align: alignText(align), id })}>${htmlInline(inlinesOf(node), writer)}</h${depth}>`;
  }
  const text = renderInline(inlinesOf(node), { ...writer, oneLine: true }).replace(
    /(^|[ \t])(#+)$/,
    "$1\\$2",
  );
  const anchor = id === undefined ? "" : `<a href="#${id}" id="${id}"></a>`;
  return [`${"#".repeat(depth)}`, text, anchor].filter((part) => part !== "").join(" ");
}

function drawing({ ref, alt, width, height }: Data, { address }: Writer): string {
  const src = ref === undefined ? "" : addressOf(ref, address);
  return `<img${htmlAttrs({ src, alt: alt ?? "", width: lengthValue(width), height: lengthValue(height), class: "gitbook-drawing" })}>`;
}

function expandable(data: Data, fragments: Fragment[], writer: BlockWriter): string {
  const part = (name: string) =>
    fragments.find(({ fragment, type }) => (fragment ?? type) === name)?.nodes ?? [];
  const title = part("expandable-title").flatMap((node) => inlinesOf(node));
  const open = data.defaultExpanded === true || data.defaultExpanded === "full" ? " open" : "";
  const summary = renderInline(title, { ...writer, oneLine: true });
  const body = writer.deeper().blocks(part("expandable-body"));
  return [`<details${open}>`, `<summary>${summary}</summary>`, body, "</details>"]
    .filter((one) => one !== "")
    .join("\n\n");
}
