import { type HtmlTag, type HtmlToken, htmlText, readHtml } from "../parser/html.js";
import { flag } from "../parser/tags.js";
import type { InlineContext } from "./inline-context.js";
import { type Block, block, type InlineNode, leaf, textNode } from "./nodes.js";

/** `<pre class="language-x"><code class="lang-x">`: code with highlighted lines, notes and expressions. */
export function htmlCode({ attrs }: HtmlTag, inner: string, reader: InlineContext): Block | undefined {
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
  if (
    !code ||
    !Object.keys(attrs).every((key) => known.includes(key)) ||
    (attrs.class !== undefined && syntax === undefined)
  )
    return undefined;
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

function preLines(tokens: HtmlToken[], reader: InlineContext): Block[] | undefined {
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

function preElement({ name, attrs }: HtmlTag, text: string, reader: InlineContext): InlineNode | undefined {
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
