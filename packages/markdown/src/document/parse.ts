import type { Token } from "markdown-it";
import { type Budget, newBudget } from "../parser/bounds.js";
import { tokensOf } from "../parser/parser.js";
import type { Tag } from "../parser/tags.js";
import { bodyOf } from "../source/source.js";
import { MEMBER_OF, withAsides } from "./asides.js";
import { codeWithOptions, fenceBlock, promptOf } from "./code.js";
import { heading } from "./heading.js";
import { parseForm } from "./html-forms.js";
import {
  type Block,
  block,
  type Data,
  type Fragment,
  type JSONDocument,
  paragraph,
  verbatim,
  voidBlock,
} from "./nodes.js";
import { NoteBodies } from "./note-bodies.js";
import { collectNotes } from "./notes.js";
import { pipeTable } from "./parse-table.js";
import { type Reader, readInline } from "./reader.js";
import type { Resolve } from "./refs.js";
import { renderDocument } from "./render.js";
import { tagBlock, tagContainer, tagLeaf } from "./tag-blocks.js";

export interface ParseOptions {
  /** The markdown is a body: it has neither frontmatter nor a title, its first H1 is a heading like others. */
  body?: boolean;
  /** Turns paths and URLs into refs of pages, anchors and files. */
  resolve?: Resolve;
}

/**
 * The rich document of a page's markdown. Frontmatter and title are not part of it. What the document has no block for
 * is a code block with `data.verbatim`, in a line of text a leaf with such a mark; renderDocument writes both back
 * unchanged. Never throws; the time is linear in the length.
 */
export function parseDocument(markdown: string, options: ParseOptions = {}): JSONDocument {
  const source = options.body ? markdown : bodyOf(markdown);
  const nodes = readSettled(source, options.resolve);
  return { object: "document", data: { schemaVersion: 1 }, nodes };
}

/** The blocks of source in which a tag without its end finds it, or not, the same way when it is written and read again. */
function readSettled(source: string, resolve?: Resolve): Block[] {
  let text = source;
  let budget = newBudget();
  let tokens = tokensOf(text, budget);
  for (let round = 0; round < MOST_ROUNDS && isUnsettled(tokens); round += 1) {
    const written = renderDocument({ object: "document", data: {}, nodes: blocksOf(tokens, { budget }) });
    if (written !== text) text = written;
    else round = MOST_ROUNDS;
    budget = newBudget();
    tokens = tokensOf(text, budget);
  }
  return blocksOf(tokens, { budget, ...(resolve && { resolve }) });
}
const MOST_ROUNDS = 3;
/** Each round costs as much as reading the source does: one with more tokens is read as it stands. */
const MOST_UNSETTLED = 10_000;

const isUnsettled = (tokens: Token[]): boolean =>
  tokens.length <= MOST_UNSETTLED && tokens.some(({ meta }) => meta?.unmatched === true);

export interface ReadOptions {
  resolve?: Resolve;
  /** Called with the line of each block, or -1. */
  begins?: number[];
  /** Of several texts that are parts of one document, one for all of them. */
  budget?: Budget;
}

/** The blocks of markdown without frontmatter. */
export function parseBlocks(source: string, options: ReadOptions = {}): Block[] {
  const budget = options.budget ?? newBudget();
  return blocksOf(tokensOf(source, budget), { ...options, budget });
}

/** Reading changes the tokens: they are good for one time. */
function blocksOf(all: Token[], options: ReadOptions & { budget: Budget }): Block[] {
  const { resolve, budget } = options;
  const { tokens, notes, used } = collectNotes(all);
  const conditions: Tag[] = [];
  const blocks = (markdown: string) => parseBlocks(markdown, { budget, ...(resolve && { resolve }) });
  const aside = { ...options, at: 0, conditions: [], notes: [], footnote: () => undefined, blocks };
  const bodies = new NoteBodies(budget, (body) =>
    readBlocks({ ...aside, tokens: body, used: new Set() }, undefined),
  );
  const reader: Reader = {
    ...options,
    tokens,
    at: 0,
    used,
    conditions,
    notes: bodies.given,
    footnote: (label) => {
      const note = notes.get(label);
      return note && (!note.condition || conditions.includes(note.condition)) ? bodies.of(note) : undefined;
    },
    blocks,
  };
  const read = readBlocks(reader, undefined);
  const given = new Set(bodies.given);
  const lost = [...notes.values()].filter((note) => !note.condition && !given.has(note));
  options.begins?.push(...lost.map(() => -1));
  return [...read, ...lost.map(({ source }) => verbatim(source))];
}

/** The blocks up to a closing token, which is consumed. `within` is the name of the tag around them. */
function readBlocks(reader: Reader, until: string | undefined, within = ""): Block[] {
  const blocks: Block[] = [];
  while (reader.at < reader.tokens.length) {
    const token = reader.tokens[reader.at]!;
    reader.at += 1;
    if (token.type === until) break;
    const found = readBlock(reader, token);
    if (!found) continue;
    if (until === undefined) reader.begins?.push(token.map?.[0] ?? -1);
    const group = GROUP_OF[found.type];
    blocks.push(group === undefined || group === within ? found : grouped(group, found));
  }
  return blocks;
}

/** What a tab, a step, a column or an update on its own belongs to. */
const GROUP_OF: Record<string, string> = {
  "tabs-item": "tabs",
  "stepper-step": "stepper",
  column: "columns",
  update: "updates",
};
const grouped = (group: string, member: Block): Block => ({
  ...block(group, {}, [member]),
  ...(group === "columns" && { isVoid: false }),
});

function readBlock(reader: Reader, token: Token): Block | undefined {
  const { type, content } = token;
  switch (type) {
    case "paragraph_open":
      return paragraph(readInline(reader, "paragraph_close"));
    case "heading_open":
      return heading(Number(token.tag.slice(1)), readInline(reader, "heading_close"));
    case "bullet_list_open":
      return list(reader, "bullet_list_close", {});
    case "ordered_list_open": {
      const start = token.attrGet("start");
      return list(reader, "ordered_list_close", start === null ? {} : { start: Number(start) });
    }
    case "blockquote_open":
      return block("blockquote", {}, readBlocks(reader, "blockquote_close"));
    case "hr":
      return voidBlock("divider", {});
    case "code_block":
      return fenceBlock("", content);
    case "fence":
      return fenceBlock(token.info, content);
    case "math":
      return voidBlock("math", { formula: content });
    case "table_open":
      return pipeTable(reader);
    case "details_open":
      return expandable(reader, token.meta!.open === true);
    case "tag":
      return tagBlock(token.meta!.tag as Tag, reader.resolve);
    case "tag_open": {
      const tag = token.meta!.tag as Tag;
      if (tag.name === "if") reader.conditions.push(tag);
      const inner = readBlocks(reader, "tag_close", tag.name);
      if (tag.name === "if") reader.conditions.pop();
      const member = MEMBER_OF[tag.name];
      const found = tagContainer(tag, member ? withAsides(inner, member) : inner);
      return tag.element ? { ...found, data: { ...found.data, html: "markdown" } } : found;
    }
    case "leaf_open": {
      const inner = readBlocks(reader, "leaf_close");
      const tag = token.meta!.tag as Tag;
      if (tag.name === "code") return codeWithOptions(tag, inner) ?? verbatim(content);
      if (tag.name === "prompt") return promptOf(tag, inner) ?? verbatim(content);
      return tagLeaf(tag, String(token.meta!.body), inner, reader.resolve) ?? verbatim(content);
    }
    case "html_form":
      return formBlock(reader, content);
    case "reference_definition":
      return reader.used.has(String(token.meta?.label)) ? undefined : verbatim(content);
    default:
      return content.trim() === "" ? undefined : verbatim(content);
  }
}

/** A form that turns out to be another one than the document knows holds no notes. */
function formBlock(reader: Reader, content: string): Block {
  const { length } = reader.notes;
  const found = parseForm(content, reader);
  if (!found) reader.notes.length = length;
  return found ?? verbatim(content);
}

const BOX = /^\[([ xX])\](?=\s|$)[ \t]?/;

function list(reader: Reader, close: string, data: Data): Block {
  const ordered = close === "ordered_list_close";
  const items: Block[] = [];
  let tasks = false;
  while (reader.tokens[reader.at]?.type === "list_item_open") {
    reader.at += 1;
    const checked = ordered ? undefined : takeBox(reader);
    if (checked !== undefined) tasks = true;
    const nodes = readBlocks(reader, "list_item_close");
    if (checked !== undefined && nodes.length > 1 && isBlank(nodes[0]!)) nodes.shift();
    const item = block(
      "list-item",
      checked === undefined ? {} : { checked },
      nodes.length > 0 ? nodes : [paragraph([])],
    );
    items.push(item);
  }
  if (reader.tokens[reader.at]?.type === close) reader.at += 1;
  return block(ordered ? "list-ordered" : tasks ? "list-tasks" : "list-unordered", data, items);
}

/** What is left of a box whose blocks stand below it. */
const isBlank = ({ type, nodes }: Block): boolean => type === "paragraph" && nodes?.length === 0;

/** Takes `[x]` off the start of an item's first paragraph. */
function takeBox({ tokens, at }: Reader): boolean | undefined {
  const [open, text] = [tokens[at], tokens[at + 1]];
  const first = text?.children?.[0];
  const match = open?.type === "paragraph_open" && first?.type === "text" ? BOX.exec(text!.content) : null;
  if (!match || !first!.content.startsWith(match[0].trimEnd())) return undefined;
  first!.content = first!.content.slice(match[0].length);
  const next = text!.children![1];
  if (first!.content === "" && next?.type === "softbreak") text!.children!.splice(0, 2);
  return match[1] !== " ";
}

function expandable(reader: Reader, open: boolean): Block {
  const title = paragraph(readInline(reader, ""));
  const nodes = readBlocks(reader, "details_close");
  const fragment = (name: string, of: Block[]): Fragment => ({
    object: "fragment",
    fragment: name,
    type: name,
    nodes: of,
  });
  return voidBlock("expandable", open ? { defaultExpanded: true } : {}, [
    fragment("expandable-title", [title]),
    fragment("expandable-body", nodes.length > 0 ? nodes : [paragraph([])]),
  ]);
}
