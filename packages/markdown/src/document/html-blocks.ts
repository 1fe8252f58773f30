import { type HtmlTag, type HtmlToken, htmlText, readHtml } from "./html.js";
import { imageInline, wholeElement } from "./inline-elements.js";
import { addInline, addWords, type Collector, collector, flush } from "./inline-nodes.js";
import { colorMark, ELEMENTS, withMark } from "./marks.js";
import {
  type Block,
  block,
  codeLines,
  type Inline,
  type InlineNode,
  inline,
  isText,
  type Mark,
  mark,
  paragraph,
} from "./nodes.js";
import type { InlineContext } from "./parse-inline.js";
import { refOf } from "./refs.js";

/** The nodes of HTML inside a line; undefined when there is an element the document does not know. */
export function inlineHtml(source: string, context: InlineContext): InlineNode[] | undefined {
  return inlineTokens(readHtml(source), context);
}

interface Open {
  name: string;
  marks: Mark[];
  into: Collector;
  href?: string;
  title?: string;
}

function inlineTokens(tokens: HtmlToken[], context: InlineContext): InlineNode[] | undefined {
  const stack: Open[] = [];
  let into = collector();
  let marks: Mark[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if ("text" in token) {
      addWords(into, htmlText(token.text.replace(/[ \t\n]+/g, " ")), marks);
      continue;
    }
    const { name, attrs, closing } = token;
    if (name === "br" && !closing) addWords(into, "\n", marks);
    else if (name === "img" && !closing) {
      const image = imageInline(attrs, context.resolve);
      if (!image) return undefined;
      addInline(into, image);
    } else if (closing) {
      const open = stack.pop();
      if (open?.name !== name) return undefined;
      if (open.href !== undefined) {
        const nodes = flush(into);
        ({ into, marks } = open);
        addInline(into, linkOf(open.href, open.title, nodes, context));
      } else marks = open.marks;
    } else {
      const note = noteOf(token, tokens, at, context);
      const end = note ?? wholeOf(token, tokens, at, context);
      if (end) {
        addInline(into, end.node);
        at = end.at;
        continue;
      }
      const added = markOf(token);
      if (added) {
        stack.push({ name, marks, into });
        marks = withMark(marks, added);
      } else if (name === "a" && attrs.href !== undefined && stack.every(({ href }) => href === undefined)) {
        const { href, title, ...others } = attrs;
        if (Object.keys(others).length > 0) return undefined;
        stack.push({ name, marks, into, href, ...(title !== undefined && { title }) });
        into = collector();
      } else return undefined;
    }
  }
  return stack.length > 0 ? undefined : flush(into);
}

function linkOf(
  href: string,
  title: string | undefined,
  nodes: InlineNode[],
  { resolve }: InlineContext,
): Inline {
  const ref = refOf(href, resolve);
  if (title !== "mention") return inline("link", { ref, ...(title && { title }) }, { nodes });
  const words = nodes
    .map((node) => (isText(node) ? node.leaves.map(({ text }) => text).join("") : ""))
    .join("");
  return inline("mention", { ref, ...(words !== href && { text: words }) });
}

function markOf({ name, attrs }: HtmlTag): Mark | undefined {
  const keys = Object.keys(attrs);
  if (name === "mark")
    return keys.length === 1 && attrs.style !== undefined ? colorMark(attrs.style) : undefined;
  const type = ELEMENTS[name];
  return type && keys.length === 0 ? mark(type) : undefined;
}

/** The words up to the end tag, when nothing but text is in between. */
function textUntilEnd(
  tokens: HtmlToken[],
  at: number,
  name: string,
): { text: string; at: number } | undefined {
  const [first, second] = [tokens[at + 1], tokens[at + 2]];
  if (first && !("text" in first))
    return first.closing && first.name === name ? { text: "", at: at + 1 } : undefined;
  if (!first || !second || "text" in second || !second.closing || second.name !== name) return undefined;
  return { text: first.text, at: at + 2 };
}

function wholeOf(tag: HtmlTag, tokens: HtmlToken[], at: number, { resolve }: InlineContext) {
  const form = tag.name === "picture" || Object.keys(tag.attrs).length > 0;
  if (!form || !["i", "span", "button", "picture", "code", "a"].includes(tag.name)) return undefined;
  if (tag.name === "a" && !tag.attrs.class) return undefined;
  if (tag.name === "picture") {
    let end = at + 1;
    while (end < tokens.length && !("name" in tokens[end]! && (tokens[end] as HtmlTag).name === "picture"))
      end += 1;
    const inner = tokens
      .slice(at + 1, end)
      .map((token) => ("text" in token ? token.text : token.source))
      .join("");
    const node = wholeElement({ tag, inner }, resolve);
    return node && { node, at: end };
  }
  const found = textUntilEnd(tokens, at, tag.name);
  const node = found && wholeElement({ tag, inner: found.text }, resolve);
  return node && { node, at: found.at };
}

/** `<a data-footnote-ref href="#user-content-fn-1">words</a>`. */
function noteOf(tag: HtmlTag, tokens: HtmlToken[], at: number, context: InlineContext) {
  if (tag.name !== "a" || !("data-footnote-ref" in tag.attrs)) return undefined;
  const label = /^#user-content-fn-(\S+)$/.exec(tag.attrs.href ?? "")?.[1];
  const body = label && context.footnote(label);
  let end = at + 1;
  while (end < tokens.length && !("closing" in tokens[end]! && (tokens[end] as HtmlTag).name === "a"))
    end += 1;
  const nodes = body && end < tokens.length ? inlineTokens(tokens.slice(at + 1, end), context) : undefined;
  if (!body || !nodes) return undefined;
  const node = {
    object: "inline" as const,
    type: "annotation",
    data: {},
    nodes,
    fragments: [body],
    isVoid: false,
  };
  return { node, at: end };
}

const BLOCKS = new Set(["p", "ul", "ol", "pre", "div"]);

/** The blocks of HTML in a cell or caption; undefined when there is an element the document does not know. */
export function htmlBlocks(source: string, context: InlineContext, depth = 0): Block[] | undefined {
  if (depth > 20) return undefined;
  const tokens = readHtml(source);
  const blocks: Block[] = [];
  let line: HtmlToken[] = [];
  const endLine = (): boolean => {
    const nodes = inlineTokens(line, context);
    const blank = line.every((token) => "text" in token && token.text.trim() === "");
    line = [];
    if (nodes && !blank) blocks.push(paragraph(nodes));
    return nodes !== undefined;
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if ("text" in token || !BLOCKS.has(token.name)) {
      line.push(token);
      continue;
    }
    const end = token.closing ? -1 : endOf(tokens, at);
    if (end < 0 || !endLine()) return undefined;
    const inner = tokens.slice(at + 1, end);
    const found = element(token, inner, context, depth);
    if (!found) return undefined;
    blocks.push(...found);
    at = end;
  }
  return endLine() ? blocks : undefined;
}

const sourceOf = (tokens: HtmlToken[]): string =>
  tokens.map((token) => ("text" in token ? token.text : token.source)).join("");

/** The end tag that belongs to the start tag; -1 when there is none. */
function endOf(tokens: HtmlToken[], at: number): number {
  const { name } = tokens[at] as HtmlTag;
  let depth = 0;
  for (let end = at; end < tokens.length; end += 1) {
    const token = tokens[end]!;
    if ("text" in token || token.name !== name) continue;
    depth += token.closing ? -1 : 1;
    if (depth === 0) return end;
  }
  return -1;
}

function element(
  tag: HtmlTag,
  inner: HtmlToken[],
  context: InlineContext,
  depth: number,
): Block[] | undefined {
  const { name, attrs } = tag;
  const keys = Object.keys(attrs);
  if (name === "div") {
    if (keys.join() !== "data-markdown" || inner.some((token) => !("text" in token))) return undefined;
    return context.blocks(attrs["data-markdown"]!.replace(/\u2028/g, "\n"));
  }
  if (name === "p") {
    const nodes = inlineTokens(inner, context);
    const align = { left: "start", center: "center", right: "end" }[attrs.align ?? ""];
    if (!nodes || (keys.length > 0 && (keys.join() !== "align" || !align))) return undefined;
    return [paragraph(nodes, align ? { align } : {})];
  }
  if (name === "pre") {
    const [code, end] = [inner[0], inner.at(-1)];
    const words = inner.slice(1, -1);
    if (keys.length > 0 || !code || !end || "text" in code || "text" in end || code.name !== "code")
      return undefined;
    if (end === code || !words.every((token) => "text" in token)) return undefined;
    const syntax = /^lang-(\S+)$/.exec(code.attrs.class ?? "")?.[1];
    if (Object.keys(code.attrs).length > 0 && !syntax) return undefined;
    const text = htmlText(sourceOf(words)).replace(/\n$/, "");
    return [block("code", syntax ? { syntax } : {}, words.length === 0 ? [] : codeLines(text))];
  }
  if (keys.some((key) => name !== "ol" || key !== "start")) return undefined;
  const items = listItems(inner, context, depth);
  if (!items) return undefined;
  const start = Number(attrs.start ?? 1);
  if (name === "ol") return [block("list-ordered", start === 1 ? {} : { start }, items)];
  return [block("list-unordered", {}, items)];
}

function listItems(tokens: HtmlToken[], context: InlineContext, depth: number): Block[] | undefined {
  const items: Block[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if ("text" in token && token.text.trim() === "") continue;
    if ("text" in token || token.name !== "li" || token.closing || Object.keys(token.attrs).length > 0)
      return undefined;
    const end = endOf(tokens, at);
    const nodes = end < 0 ? undefined : htmlBlocks(sourceOf(tokens.slice(at + 1, end)), context, depth + 1);
    if (!nodes) return undefined;
    items.push(block("list-item", {}, nodes.length > 0 ? nodes : [paragraph([])]));
    at = end;
  }
  return items.length > 0 ? items : undefined;
}
