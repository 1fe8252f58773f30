import type { Token } from "markdown-it";
import { joinedLines } from "../parser/blanks.js";
import { type HtmlTag, readHtmlTag } from "../parser/html.js";
import { type Link, linkIn, linkOf } from "./html-inline.js";
import type { InlineContext } from "./inline-context.js";
import { imageInline, wholeElement } from "./inline-elements.js";
import { addInline, addWords, type Collector, collector, flush } from "./inline-nodes.js";
import { colorMark, ELEMENTS, withMark } from "./marks.js";
import { type InlineNode, inline, isVerbatim, type Mark, mark, textNode, verbatimMark } from "./nodes.js";
import { refOf } from "./refs.js";

interface Frame {
  into: Collector;
  marks: Mark[];
}

const MARKS: Record<string, Mark> = {
  strong: mark("bold"),
  em: mark("italic"),
  s: mark("strikethrough"),
};
const FOOTNOTE_LINK = /^#user-content-fn-/;

/** The nodes of a parsed line of text. */
export function inlineNodes(tokens: Token[], context: InlineContext): InlineNode[] {
  const pairs = pairElements(tokens);
  let frame: Frame = { into: collector(), marks: [] };
  const frames: Frame[] = [];
  const words = (text: string, marks = frame.marks) => addWords(frame.into, text, marks);
  const raw = (source: string) => words(joinedLines(source), withMark(frame.marks, verbatimMark(source)));
  const open = (marks: Mark[], into = frame.into) => {
    frames.push(frame);
    frame = { into, marks };
  };
  const close = () => {
    const done = frame;
    frame = frames.pop() ?? frame;
    return done;
  };
  const endLink = (link: Link) => {
    const nodes = flush(close().into);
    addInline(frame.into, linkOf(link, nodes, context));
  };
  const links: Link[] = [];
  tokens.forEach((token, index) => {
    const { type, content } = token;
    if (type === "text" || type === "text_special") words(content);
    else if (type === "kept")
      words(content.replace(/\n[ \t]+/g, "\n"), withMark(frame.marks, verbatimMark(content)));
    else if (type === "softbreak") words(" ");
    else if (type === "hardbreak") words("\n");
    else if (type === "code_inline") words(content, withMark(frame.marks, mark("code")));
    else if (type === "strong_open" || type === "em_open" || type === "s_open") {
      open(withMark(frame.marks, MARKS[type.slice(0, -5)]!));
    } else if (type === "strong_close" || type === "em_close" || type === "s_close") close();
    else if (type === "link_open") {
      const title = attr(token, "title");
      links.push({
        href: attr(token, "href") ?? "",
        ...(title !== null && { title }),
        ...(token.markup === "autolink" && { autolink: "angle" }),
      });
      open(frame.marks, collector());
    } else if (type === "link_close") {
      const link = links.pop()!;
      const next = tokens[index + 1];
      if (next?.type === "footnote_ref" && FOOTNOTE_LINK.test(link.href)) {
        const nodes = flush(close().into);
        annotate(frame, nodes, next.content, context);
      } else endLink(link);
    } else if (type === "plain_url") {
      const nodes = [textNode([{ object: "leaf", text: content, marks: frame.marks }])];
      addInline(frame.into, linkOf({ href: content, autolink: "bare" }, nodes, context));
    } else if (type === "footnote_ref") {
      const before = tokens[index - 1];
      const href = before?.type === "link_close" ? linkBefore(tokens, index - 1) : "";
      if (!FOOTNOTE_LINK.test(href)) annotate(frame, undefined, content, context);
    } else if (type === "emoji") addInline(frame.into, inline("emoji", { code: content }));
    else if (type === "math_inline") addInline(frame.into, inline("inline-math", { formula: content }));
    else if (type === "image") addInline(frame.into, markdownImage(token, context));
    else if (type === "html_whole") {
      const found = content.includes("<!--")
        ? undefined
        : wholeElement(token.meta as { tag: HtmlTag; inner: string }, context.resolve);
      if (found) addInline(frame.into, found);
      else raw(content);
    } else if (type === "html_inline") {
      const pair = pairs.get(index);
      if (pair?.mark) open(withMark(frame.marks, pair.mark));
      else if (pair?.link) {
        links.push(pair.link);
        open(frame.marks, collector());
      } else if (pair?.closes === "mark") close();
      else if (pair?.closes === "link") endLink(links.pop()!);
      else element(content);
    } else words(content);
  });

  function element(source: string) {
    const tag = readHtmlTag(source);
    const found = tag?.name === "img" && !tag.closing ? imageInline(tag.attrs, context.resolve) : undefined;
    if (tag?.name === "br" && !tag.closing) words("\n");
    else if (found) addInline(frame.into, found);
    else raw(source);
  }
  return flush(frame.into);
}

const attr = (token: Token, name: string): string | null => {
  const value = token.attrGet(name);
  return value === null ? null : String(value);
};

function linkBefore(tokens: Token[], close: number): string {
  let depth = 0;
  for (let at = close; at >= 0; at -= 1) {
    if (tokens[at]!.type === "link_close") depth += 1;
    if (tokens[at]!.type === "link_open") depth -= 1;
    if (depth === 0) return attr(tokens[at]!, "href") ?? "";
  }
  return "";
}

interface Pair {
  mark?: Mark;
  link?: Link;
  closes?: "mark" | "link";
}

/** Start and end tags that belong together and are read as marks or links, by their place among the tokens. */
function pairElements(tokens: Token[]): Map<number, Pair> {
  const pairs = new Map<number, Pair>();
  const open: { name: string; index: number; links: number; pair?: Pair }[] = [];
  let inLink = 0;
  let links = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === "link_open") inLink += 1;
    if (token.type === "link_close") inLink -= 1;
    if (["link_open", "plain_url", "footnote_ref"].includes(token.type)) links += 1;
    if (token.nesting > 0) open.push({ name: "", index, links });
    if (token.nesting < 0) {
      while (open.length > 0 && open.pop()!.name !== "");
    }
    const tag = token.type === "html_inline" ? readHtmlTag(token.content) : undefined;
    if (!tag || (!ELEMENTS[tag.name] && tag.name !== "mark" && tag.name !== "a")) continue;
    if (!tag.closing) {
      const pair = inLink > 0 && tag.name === "a" ? undefined : pairOf(tag);
      if (tag.name === "a") links += 1;
      open.push({ name: tag.name, index, links, pair });
      continue;
    }
    const at = lastOpen(open, tag.name);
    if (at < 0) continue;
    const { index: start, pair, links: before } = open[at]!;
    open.length = at;
    if (!pair || (pair.link && links !== before)) continue;
    pairs.set(start, pair);
    pairs.set(index, { closes: pair.mark ? "mark" : "link" });
  }
  return pairs;
}

/** The innermost open element of that name, not looking out of the emphasis or link around. */
function lastOpen(open: { name: string }[], name: string): number {
  for (let at = open.length - 1; at >= Math.max(0, open.length - 50) && open[at]!.name !== ""; at -= 1) {
    if (open[at]!.name === name) return at;
  }
  return -1;
}

function pairOf(tag: HtmlTag): Pair | undefined {
  const { name, attrs } = tag;
  const keys = Object.keys(attrs);
  if (name === "a") {
    const link = linkIn(tag);
    return link && { link };
  }
  if (name === "mark") {
    const color = keys.length === 1 && attrs.style !== undefined ? colorMark(attrs.style) : undefined;
    return color && { mark: color };
  }
  return keys.length === 0 ? { mark: mark(ELEMENTS[name]!) } : undefined;
}

function markdownImage(token: Token, { resolve }: InlineContext) {
  const [alt, caption] = [altOf(token.children ?? []), attr(token, "title")];
  const ref = refOf(attr(token, "src") ?? "", resolve);
  return inline("inline-image", { ref, ...(caption && { caption }), ...(alt && { alt }) });
}

const altOf = (tokens: Token[]): string =>
  tokens
    .map(({ type, content, children }) =>
      type === "softbreak" || type === "hardbreak"
        ? " "
        : type === "image"
          ? altOf(children ?? [])
          : type === "emoji"
            ? ""
            : content,
    )
    .join("");

/** Puts the body of a footnote to the words before it, or to the words of a link in front of it. */
function annotate(frame: Frame, nodes: InlineNode[] | undefined, label: string, context: InlineContext) {
  const body = context.footnote(label);
  if (!body) {
    for (const node of nodes ?? []) {
      if (node.object === "text")
        for (const { text, marks } of node.leaves) addWords(frame.into, text, marks);
      else addInline(frame.into, node);
    }
    addWords(frame.into, `[^${label}]`, frame.marks);
    return;
  }
  addInline(frame.into, {
    object: "inline",
    type: "annotation",
    data: {},
    nodes: nodes ?? lastWord(frame.into),
    fragments: [body],
    isVoid: false,
  });
}

function lastWord({ leaves }: Collector): InlineNode[] {
  const last = leaves.at(-1);
  const word = last && !isVerbatim(last) && /\S{1,200}$/.exec(last.text.slice(-200))?.[0];
  if (!word) return [];
  last.text = last.text.slice(0, -word.length);
  if (last.text === "") leaves.pop();
  return [textNode([{ object: "leaf", text: word, marks: last.marks }])];
}
