import { takeTags } from "./bounds.js";
import { heading } from "./heading.js";
import { closedBy, type HtmlTag, type HtmlToken, htmlText, readHtml, readHtmlTag } from "./html.js";
import { htmlBlocks, inlineHtml } from "./html-blocks.js";
import { pictureParts } from "./inline-elements.js";
import {
  type Block,
  block,
  type Data,
  type Fragment,
  type InlineNode,
  leaf,
  paragraph,
  textNode,
  voidBlock,
} from "./nodes.js";
import { htmlTable } from "./parse-html-table.js";
import type { Reader } from "./reader.js";
import { type Resolve, refOf } from "./refs.js";
import { lengthOf } from "./tag-blocks.js";
import { flag } from "./tags.js";

const only = (attrs: Record<string, string>, names: string[]): boolean =>
  Object.keys(attrs).every((key) => names.includes(key));

/** The block that a piece of HTML stands for; undefined when it has another form than the ones the document knows. */
export function parseForm(source: string, reader: Reader): Block | undefined {
  const trimmed = source.trim();
  const tag = readHtmlTag(trimmed);
  // The document has no place for comments, which would come back as words.
  if (trimmed.includes("<!--")) return undefined;
  if (!tag || tag.closing || !takeTags(trimmed, reader.budget)) return undefined;
  const { resolve } = reader;
  if (tag.name === "img") return drawing(tag, resolve);
  const end = `</${tag.name}>`;
  if (!trimmed.toLowerCase().endsWith(end)) return undefined;
  const inner = trimmed.slice(tag.end, -end.length);
  if (tag.name === "table") return htmlTable(tag, inner, reader);
  if (tag.name === "pre") return pre(tag, inner, reader);
  if (tag.name === "figure" || tag.name === "div") return images(tag, trimmed, inner, reader);
  if (inner.toLowerCase().includes(end)) return undefined;
  return aligned(tag, inner, reader);
}

function drawing({ attrs }: HtmlTag, resolve?: Resolve): Block | undefined {
  const { src, alt, width, height } = attrs;
  if (src === undefined || !only(attrs, ["src", "alt", "class", "width", "height"])) return undefined;
  return voidBlock("drawing", {
    ref: refOf(src, resolve),
    ...(alt && { alt }),
    ...(width && { width: lengthOf(width) }),
    ...(height && { height: lengthOf(height) }),
  });
}

/** `<p align="center">` and `<h2 align="center">`. */
function aligned({ name, attrs }: HtmlTag, inner: string, reader: Reader): Block | undefined {
  const align = alignOf(attrs.align);
  if (!only(attrs, ["align", "id"]) || (attrs.align !== undefined && align === undefined)) return undefined;
  if (name === "p" && (attrs.id !== undefined || align === undefined)) return undefined;
  const nodes = inlineHtml(inner, reader);
  if (!nodes) return undefined;
  if (name === "p") return paragraph(nodes, { align });
  if (attrs.id !== undefined && !/^[-a-z0-9.+_]+$/.test(attrs.id)) return undefined;
  const found = heading(Number(name.slice(1)), nodes, {
    ...(attrs.id && { id: attrs.id }),
    ...(align && { align }),
  });
  return align === undefined ? undefined : found;
}

const alignOf = (align: string | undefined): string | undefined =>
  align === undefined
    ? undefined
    : { left: "start", start: "start", center: "center", right: "end", end: "end" }[align];

const FIGURE = /<figure>([\s\S]*?)<\/figure>/gi;

/** Figures, alone or several in a div. */
function images(tag: HtmlTag, source: string, inner: string, reader: Reader): Block | undefined {
  const alone = tag.name === "figure";
  const data: Data = {};
  if (!alone) {
    const { align, "data-full-width": wide, "data-with-frame": frame } = tag.attrs;
    if (!only(tag.attrs, ["align", "data-full-width", "data-with-frame"])) return undefined;
    if (align !== undefined && !["left", "center", "right"].includes(align)) return undefined;
    if (align !== undefined) data.align = align;
    if (wide !== undefined) data.fullWidth = flag(wide);
    if (frame !== undefined) data.withFrame = flag(frame);
  }
  const from = alone ? source : inner;
  // Those that are not closed would each be looked through to the end.
  const last = Math.max(from.lastIndexOf("</figure>"), from.lastIndexOf("</FIGURE>")) + "</figure>".length;
  const closed = from.slice(0, last);
  if ((closed.replace(FIGURE, "") + from.slice(last)).trim() !== "") return undefined;
  const nodes = [...closed.matchAll(FIGURE)].map(([, figure]) => image(figure!, reader));
  if (nodes.length === 0 || nodes.some((node) => node === undefined)) return undefined;
  return { ...block("images", data, nodes as Block[]), isVoid: false };
}

function image(figure: string, reader: Reader): Block | undefined {
  const captioned = closedBy(figure, /<figcaption>/i, "</figcaption>");
  const rest = (captioned ? figure.slice(0, captioned.match.index) : figure).trim();
  const picture = /^<picture>([\s\S]*)<\/picture>$/i.exec(rest);
  const parts = pictureParts(picture?.[1] ?? rest);
  if (!parts || (!picture && parts.dark !== undefined)) return undefined;
  const { src, alt, width, height, ...others } = parts.img;
  if (src === undefined || Object.keys(others).length > 0) return undefined;
  const caption = captioned ? htmlBlocks(captioned.inner, reader) : [];
  if (!caption || caption.some(({ type }) => type !== "paragraph")) return undefined;
  const fragments: Fragment[] =
    caption.length > 0 ? [{ object: "fragment", fragment: "caption", nodes: caption }] : [];
  const { resolve } = reader;
  return voidBlock(
    "image",
    {
      ref: refOf(src, resolve),
      ...(parts.dark !== undefined && { refDark: refOf(parts.dark, resolve) }),
      ...(width && { width: lengthOf(width) }),
      ...(height && { height: lengthOf(height) }),
      ...(alt && { alt }),
    },
    fragments,
  );
}

/** `<pre class="language-x"><code class="lang-x">`: code with highlighted lines, notes and expressions. */
function pre({ attrs }: HtmlTag, inner: string, reader: Reader): Block | undefined {
  const known = [
    "class",
    "data-title",
    "data-overflow",
    "data-line-numbers",
    "data-full-width",
    "data-expandable",
  ];
  const code = /^<code(?: class="(?:lang|language)-([^"<>]*)")?>([\s\S]*)<\/code>$/i.exec(inner.trim());
  const syntax = /^(?:language|lang)-(\S+)$/.exec(attrs.class ?? "")?.[1] ?? code?.[1];
  if (!code || !only(attrs, known) || (attrs.class !== undefined && syntax === undefined)) return undefined;
  const lines = preLines(readHtml(code[2]!), reader);
  if (!lines) return undefined;
  const option = (name: string, key: string) =>
    attrs[name] === undefined ? {} : { [key]: key === "title" ? attrs[name] : flag(attrs[name]) };
  const data = {
    ...(syntax && { syntax: htmlText(syntax) }),
    ...option("data-title", "title"),
    ...option("data-overflow", "overflow"),
    ...option("data-line-numbers", "lineNumbers"),
    ...option("data-full-width", "fullWidth"),
    ...option("data-expandable", "expandable"),
  };
  return block("code", data, lines);
}

function preLines(tokens: HtmlToken[], reader: Reader): Block[] | undefined {
  const lines: { nodes: InlineNode[]; highlighted: boolean }[] = [{ nodes: [], highlighted: false }];
  let strong = false;
  let element: { tag: HtmlTag; text: string } | undefined;
  for (const token of tokens) {
    if ("text" in token) {
      if (element) element.text += token.text;
      else
        for (const [index, text] of htmlText(token.text).split("\n").entries()) {
          if (index > 0) lines.push({ nodes: [], highlighted: false });
          if (text === "") continue;
          lines.at(-1)!.nodes.push(textNode([leaf(text)]));
          if (strong) lines.at(-1)!.highlighted = true;
        }
    } else if (token.name === "strong" && !element && Object.keys(token.attrs).length === 0) {
      if (strong === !token.closing) return undefined;
      strong = !token.closing;
      if (strong) lines.at(-1)!.highlighted = true;
    } else if (!token.closing && !element && (token.name === "a" || token.name === "code"))
      element = { tag: token, text: "" };
    else if (token.closing && element?.tag.name === token.name) {
      const node = preElement(element.tag, htmlText(element.text), reader);
      if (!node) return undefined;
      lines.at(-1)!.nodes.push(node);
      element = undefined;
    } else return undefined;
  }
  if (strong || element) return undefined;
  const last = lines.at(-1)!;
  if (lines.length > 1 && last.nodes.length === 0 && !last.highlighted) lines.pop();
  return lines.map(({ nodes, highlighted }) => block("code-line", highlighted ? { highlighted } : {}, nodes));
}

function preElement({ name, attrs }: HtmlTag, text: string, reader: Reader): InlineNode | undefined {
  if (name === "code") {
    return attrs.class === "expression"
      ? { object: "inline", type: "expression", data: { expression: text }, isVoid: true }
      : undefined;
  }
  const label = /^#user-content-fn-(\S+)$/.exec(attrs.href ?? "")?.[1];
  const body = label && "data-footnote-ref" in attrs ? reader.footnote(label) : undefined;
  if (!body) return undefined;
  const nodes = text === "" ? [] : [textNode([leaf(text)])];
  return { object: "inline", type: "annotation", data: {}, nodes, fragments: [body], isVoid: false };
}
