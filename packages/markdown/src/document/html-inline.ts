import { joinedLines } from "../parser/blanks.js";
import {
  attributesOf,
  type HtmlTag,
  type HtmlToken,
  htmlSource,
  htmlText,
  readHtml,
} from "../parser/html.js";
import type { InlineContext } from "./inline-context.js";
import { imageInline, wholeElement } from "./inline-elements.js";
import { addInline, addWords, type Collector, collector, flush } from "./inline-nodes.js";
import { colorMark, ELEMENTS, withMark } from "./marks.js";
import {
  type Data,
  type Inline,
  type InlineNode,
  inline,
  type Mark,
  mark,
  plainText,
  verbatimMark,
} from "./nodes.js";
import { refOf } from "./refs.js";

/** The nodes of HTML inside a line. What the document does not know is kept as it is written. */
export const inlineHtml = (source: string, context: InlineContext): InlineNode[] =>
  inlineTokens(readHtml(source), context);

/** Where reading goes on when an element ends. */
interface Open {
  into: Collector;
  marks: Mark[];
  link?: Link;
}
export interface Link {
  href: string;
  title?: string;
  attributes?: Record<string, string>;
  /** How an address stands that is its own text: bare, or in angle brackets. */
  autolink?: "bare" | "angle";
}

/** The nodes of tags and texts inside a line. */
export function inlineTokens(tokens: HtmlToken[], context: InlineContext): InlineNode[] {
  const ends = pairTags(tokens, (name) => ELEMENTS[name] !== undefined || name === "mark" || name === "a");
  const open = new Map<number, Open>();
  let into = collector();
  let marks: Mark[] = [];
  let links = 0;
  const raw = (source: string) => addWords(into, joinedLines(source), withMark(marks, verbatimMark(source)));
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if ("text" in token) {
      addWords(into, htmlText(token.text.replace(/[ \t\n]+/g, " ")), marks);
      continue;
    }
    const { name, attrs, closing } = token;
    if (closing) {
      const before = open.get(at);
      if (!before) {
        raw(token.source);
        continue;
      }
      const nodes = before.link ? flush(into) : [];
      ({ into, marks } = before);
      if (!before.link) continue;
      links -= 1;
      addInline(into, linkOf(before.link, nodes, context));
      continue;
    }
    const image = name === "img" ? imageInline(attrs, context.resolve) : undefined;
    if (image) {
      addInline(into, image);
      continue;
    }
    if (name === "br" && Object.keys(attrs).length === 0) {
      addWords(into, "\n", marks);
      continue;
    }
    const whole = noteOf(token, tokens, at, context) ?? wholeOf(token, tokens, at, context);
    if (whole) {
      addInline(into, whole.node);
      at = whole.at;
      continue;
    }
    const end = ends.get(at);
    const added = end === undefined ? undefined : markOf(token);
    const link = end === undefined || added || links > 0 ? undefined : linkIn(token);
    if (added) {
      open.set(end!, { into, marks });
      marks = withMark(marks, added);
    } else if (link) {
      open.set(end!, { into, marks, link });
      into = collector();
      links += 1;
    } else raw(token.source);
  }
  return flush(into);
}

/** By start tags the end tags that belong to them, in each other and never across. */
export function pairTags(tokens: HtmlToken[], isPaired: (name: string) => boolean): Map<number, number> {
  const ends = new Map<number, number>();
  const open: { name: string; at: number }[] = [];
  for (const [at, token] of tokens.entries()) {
    if ("text" in token || !isPaired(token.name)) continue;
    if (!token.closing) {
      open.push({ name: token.name, at });
      continue;
    }
    const lowest = Math.max(0, open.length - DEEPEST);
    let last = open.length - 1;
    while (last >= lowest && open[last]!.name !== token.name) last -= 1;
    if (last < lowest) continue;
    ends.set(open[last]!.at, at);
    open.length = last;
  }
  return ends;
}
/** What is looked back for the start of an element. */
const DEEPEST = 50;

/** What a start tag of a link says; undefined for anchors, buttons and notes. */
export function linkIn({ name, attrs }: HtmlTag): Link | undefined {
  const { href, title, ...others } = attrs;
  if (name !== "a" || href === undefined) return undefined;
  if (["id", "name", "data-footnote-ref", "data-footnote-backref"].some((key) => key in others))
    return undefined;
  if (/\bbutton\b/.test(others.class ?? "")) return undefined;
  return { href, ...(title !== undefined && { title }), ...attributesOf(others) };
}

/** A link around nodes, or the mention that its title says it is. */
export function linkOf(
  { href, title, attributes, autolink }: Link,
  nodes: InlineNode[],
  { resolve }: Pick<InlineContext, "resolve">,
): Inline {
  const ref = refOf(href, resolve);
  if (title !== "mention" || attributes)
    return inline(
      "link",
      { ref, ...(title && { title }), ...(attributes && { attributes }), ...(autolink && { autolink }) },
      { nodes },
    );
  const words = plainText(nodes);
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

const WHOLE = new Set(["i", "span", "button", "picture", "code", "a"]);

/** An element that is read with the words in it. */
function wholeOf(tag: HtmlTag, tokens: HtmlToken[], at: number, { resolve }: InlineContext) {
  const form = tag.name === "picture" || Object.keys(tag.attrs).length > 0;
  if (!form || !WHOLE.has(tag.name)) return undefined;
  if (tag.name === "a" && !tag.attrs.class) return undefined;
  if (tag.name === "picture") {
    let end = at + 1;
    while (end < tokens.length && !isNamed(tokens[end]!, "picture")) end += 1;
    if (end === tokens.length) return undefined;
    const node = wholeElement({ tag, inner: htmlSource(tokens.slice(at + 1, end)) }, resolve);
    return node && { node, at: end };
  }
  const found = textUntilEnd(tokens, at, tag.name);
  const node = found && wholeElement({ tag, inner: found.text }, resolve);
  return node && { node, at: found.at };
}

const isNamed = (token: HtmlToken, name: string): boolean => "name" in token && token.name === name;

/** `<a data-footnote-ref href="#user-content-fn-1">words</a>`. */
function noteOf(tag: HtmlTag, tokens: HtmlToken[], at: number, context: InlineContext) {
  if (tag.name !== "a" || !("data-footnote-ref" in tag.attrs)) return undefined;
  const label = /^#user-content-fn-(\S+)$/.exec(tag.attrs.href ?? "")?.[1];
  const body = label && context.footnote(label);
  if (!body) return undefined;
  let end = at + 1;
  while (end < tokens.length && !isNamed(tokens[end]!, "a")) end += 1;
  if (end === tokens.length || !(tokens[end] as HtmlTag).closing) return undefined;
  const node: Inline = {
    object: "inline",
    type: "annotation",
    data: {} as Data,
    nodes: inlineTokens(tokens.slice(at + 1, end), context),
    fragments: [body],
    isVoid: false,
  };
  return { node, at: end };
}
