import { emojiText } from "./emoji.js";
import { escapeHtml, htmlAttrs, htmlWords } from "./html.js";
import { MARK_ORDER, sameMark } from "./marks.js";
import {
  type Block,
  blocksOf,
  type Data,
  type Inline,
  type InlineNode,
  inlinesOf,
  isText,
  type Leaf,
  type Mark,
  plainText,
} from "./nodes.js";
import { addressOf } from "./refs.js";
import type { Writer } from "./render-inline.js";
import { colored, TAGS } from "./render-marks.js";
import { button, imageSource, mathElement } from "./render-void.js";
import type { BlockWriter } from "./writer.js";

const ELEMENTS: Record<string, string> = { ...TAGS, code: "code" };

/** A line of text as HTML. */
export function htmlInline(nodes: InlineNode[], writer: Writer): string {
  return nodes.map((node) => (isText(node) ? leaves(node.leaves, 0) : htmlNode(node, writer))).join("");
}

function leaves(list: Leaf[], depth: number): string {
  const type = MARK_ORDER[depth];
  if (type === undefined) return list.map(({ text }) => htmlWords(text)).join("");
  let out = "";
  for (let at = 0; at < list.length; ) {
    const mark = list[at]!.marks.find((one) => one.type === type);
    let end = at + 1;
    while (
      end < list.length &&
      same(
        list[end]!.marks.find((one) => one.type === type),
        mark,
      )
    )
      end += 1;
    const inner = leaves(list.slice(at, end), depth + 1);
    out += mark ? wrap(mark, inner) : inner;
    at = end;
  }
  return out;
}

const same = (one: Mark | undefined, two: Mark | undefined): boolean =>
  one === two || (one !== undefined && two !== undefined && sameMark(one, two));

function wrap({ type, data }: Mark, inner: string): string {
  if (type === "color") return colored(data, inner);
  return ELEMENTS[type] ? `<${ELEMENTS[type]}>${inner}</${ELEMENTS[type]}>` : inner;
}

function htmlNode(node: Inline, writer: Writer): string {
  const data: Data = node.data ?? {};
  const to = (ref: unknown) => addressOf(ref, writer.address);
  switch (node.type) {
    case "link":
      return `<a${htmlAttrs({ href: to(data.ref), title: data.title })}>${htmlInline(node.nodes ?? [], writer)}</a>`;
    case "mention":
      return `<a${htmlAttrs({ href: to(data.ref), title: "mention" })}>${htmlWords(String(data.text ?? to(data.ref)))}</a>`;
    case "emoji":
      return `<span data-gb-custom-inline data-tag="emoji" data-code="${data.code}">${emojiText(String(data.code))}</span>`;
    case "icon":
      return `<i class="fa-${data.icon}">:${data.icon}:</i>`;
    case "expression":
      return `<code class="expression">${escapeHtml(String(data.expression ?? "")).replace(/[\r\n]+/g, " ")}</code>`;
    case "inline-image": {
      const { ref, refDark, alt, size, caption } = data;
      return imageSource({ ref, refDark, alt, "data-size": size, title: caption }, to);
    }
    case "button":
      return button(data, to);
    case "annotation": {
      const label = writer.footnote(node.fragments?.[0]);
      return `<a data-footnote-ref href="#user-content-fn-${label}">${htmlInline(node.nodes ?? [], writer)}</a>`;
    }
    case "inline-math":
      return mathElement(data);
    default:
      return htmlWords(plainText(node.nodes ?? []));
  }
}

/** Blocks as the HTML of a cell; what HTML has no form for goes as markdown in an attribute. */
export function htmlOfBlocks(nodes: Block[], writer: BlockWriter): string {
  const [first] = nodes;
  if (nodes.length === 1 && first!.type === "paragraph" && plainForHtml(first!))
    return htmlInline(inlinesOf(first!), writer);
  return nodes.map((node) => blockHtml(node, writer)).join("");
}

const plainForHtml = (node: Block): boolean =>
  node.data?.align === undefined && inlinesOf(node).every(fitsHtml);

/** Verbatim pieces have no HTML of their own. */
const fitsHtml = (node: InlineNode): boolean =>
  isText(node)
    ? node.leaves.every(({ marks }) => marks.every(({ data }) => data?.verbatim !== true))
    : (node.nodes ?? []).every(fitsHtml);

function blockHtml(node: Block, writer: BlockWriter): string {
  const { type, data = {} } = node;
  const inner = (): string =>
    blocksOf(node)
      .map((item) => `<li>${htmlOfBlocks(blocksOf(item), writer)}</li>`)
      .join("");
  if (type === "paragraph" && inlinesOf(node).every(fitsHtml)) {
    const align = { start: "left", center: "center", end: "right" }[String(data.align)];
    return `<p${htmlAttrs({ align })}>${htmlInline(inlinesOf(node), writer)}</p>`;
  }
  const simple = blocksOf(node).every((item) => item.type === "list-item" && fitsItem(item));
  if (type === "list-unordered" && simple) return `<ul>${inner()}</ul>`;
  if (type === "list-ordered" && simple) return `<ol${htmlAttrs({ start: data.start })}>${inner()}</ol>`;
  const source = writer.document([node]);
  return source === ""
    ? ""
    : `<div data-markdown="${escapeHtml(source).replaceAll('"', "&quot;").replaceAll("\n", "&#x2028;")}"></div>`;
}

const fitsItem = (item: Block): boolean =>
  item.data?.checked === undefined &&
  blocksOf(item).every(({ type }) => type === "paragraph" || type.startsWith("list-"));
