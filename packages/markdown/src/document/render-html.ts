import { isDeepStrictEqual } from "node:util";
import { emojiText } from "../parser/emoji.js";
import { escapeHtml, htmlAttrs, htmlWords, keptAttrs } from "../parser/html.js";
import { MEMBER_OF, membersWithAsides } from "./asides.js";
import { headingDepth } from "./heading.js";
import { htmlBlocks, TASKS } from "./html-blocks.js";
import { elementOf } from "./html-custom.js";
import type { InlineContext } from "./inline-context.js";
import { MARK_ORDER, sameMark } from "./marks.js";
import {
  type Block,
  blocksOf,
  type Data,
  type Inline,
  type InlineNode,
  inlinesOf,
  isText,
  isVerbatim,
  type Leaf,
  linesText,
  type Mark,
  plainText,
} from "./nodes.js";
import { addressOf } from "./refs.js";
import { codeHtml } from "./render-code.js";
import { type ImageWriter, imagesHtml } from "./render-images.js";
import type { Writer } from "./render-inline.js";
import { isList } from "./render-list.js";
import { colored, TAGS } from "./render-marks.js";
import { button, imageSource, mathElement } from "./render-void.js";
import { TAG_OF, tagAttributes } from "./tag-data.js";
import type { BlockWriter } from "./writer.js";

const ELEMENTS: Record<string, string> = { ...TAGS, code: "code" };

/** A line of text as HTML. */
export function htmlInline(nodes: InlineNode[], writer: Writer): string {
  const source = nodes
    .map((node) => (isText(node) ? leaves(node.leaves, 0) : htmlNode(node, writer)))
    .join("");
  // What is nothing but blanks would count as nothing.
  return source.trim() === "" ? source.replaceAll(" ", "&#x20;") : source;
}

function leaves(list: Leaf[], depth: number): string {
  const type = MARK_ORDER[depth];
  if (type === undefined)
    return list.map((one) => (isVerbatim(one) ? one.text : htmlWords(one.text))).join("");
  let out = "";
  for (let at = 0; at < list.length; ) {
    const mark = markOf(list[at]!, type);
    let end = at + 1;
    while (end < list.length && same(markOf(list[end]!, type), mark)) end += 1;
    const inner = leaves(list.slice(at, end), depth + 1);
    out += mark ? wrap(mark, inner) : inner;
    at = end;
  }
  return out;
}

/** Source that is kept has no mark of code: it stands as it is. */
const markOf = ({ marks }: Leaf, type: string): Mark | undefined =>
  marks.find((one) => one.type === type && one.data?.verbatim !== true);

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
      return `<a${htmlAttrs({ href: to(data.ref), title: data.title })}${keptAttrs(data.attributes)}>${htmlInline(node.nodes ?? [], writer)}</a>`;
    case "mention":
      return `<a${htmlAttrs({ href: to(data.ref), title: "mention" })}>${htmlWords(String(data.text ?? to(data.ref)))}</a>`;
    case "emoji":
      return `<span data-gb-custom-inline data-tag="emoji" data-code="${data.code}">${emojiText(String(data.code))}</span>`;
    case "icon":
      return `<i class="fa-${data.icon}"${keptAttrs(data.attributes)}>:${data.icon}:</i>`;
    case "expression":
      return `<code class="expression">${escapeHtml(String(data.expression ?? "")).replace(/[\r\n]+/g, " ")}</code>`;
    case "inline-image": {
      const { ref, refDark, alt, size, caption, attributes } = data;
      return imageSource({ ref, refDark, alt, "data-size": size, title: caption }, to, attributes);
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
  return nodes
    .map((node, at) => {
      const source = isBare(nodes, at) ? htmlInline(inlinesOf(node), writer) : undefined;
      if (source !== undefined && readsBack(node, source)) return source;
      return blockHtml(node, writer) ?? inAttribute(writer.document([node]));
    })
    .join("");
}

/** Whether words are no element: alone, or where they were none and stand next to no others. */
function isBare(nodes: Block[], at: number): boolean {
  const { type, data } = nodes[at]!;
  if (type !== "paragraph" || data?.align !== undefined) return false;
  if (nodes.length === 1) return data?.html !== true;
  return (
    data?.html === false && !(nodes[at - 1]?.type === "paragraph" && nodes[at - 1]!.data?.html === false)
  );
}

const inAttribute = (source: string): string =>
  source === ""
    ? ""
    : `<div data-markdown="${escapeHtml(source).replaceAll('"', "&quot;").replaceAll("\n", "&#x2028;")}"></div>`;

/** Paragraphs and lists as elements with texts in them. */
export const cellsHtml = (nodes: Block[], words: (nodes: InlineNode[]) => string): string =>
  nodes
    .map((node, at) => {
      if (node.type !== "paragraph") return listHtml(node, (item) => cellsHtml(blocksOf(item), words));
      return isBare(nodes, at) ? words(inlinesOf(node)) : `<p>${words(inlinesOf(node))}</p>`;
    })
    .join("");

/** A block as HTML that reads back as that block; undefined when there is none. */
export function blockHtml(node: Block, writer: BlockWriter): string | undefined {
  const source = candidate(node, writer);
  return source !== undefined && readsBack(node, source) ? source : undefined;
}

function candidate(node: Block, writer: BlockWriter): string | undefined {
  const { type, data = {} } = node;
  const inside = (one: Block) => htmlOfBlocks(blocksOf(one), writer);
  if (type === "paragraph") {
    return `<p${htmlAttrs({ align: alignText(data.align) })}>${htmlInline(inlinesOf(node), writer)}</p>`;
  }
  if (type.startsWith("heading-")) {
    const name = `h${headingDepth(node)}`;
    return `<${name}${htmlAttrs({ align: alignText(data.align), id: data.id })}>${htmlInline(inlinesOf(node), writer)}</${name}>`;
  }
  if (isList(node)) return listHtml(node, inside);
  if (type === "divider") return "<hr>";
  if (type === "blockquote") return `<blockquote>${inside(node)}</blockquote>`;
  if (type === "hint" || (data.html === true && TAG_OF[type])) return tagElement(node, writer);
  if (type === "images") return imagesHtml(node, captionsBy(writer));
  if (type !== "code") return undefined;
  return data.verbatim === true ? linesText(node) : codeHtml(node, writer);
}

/** The block of a tag as an element around HTML, a group with its members. */
function tagElement(node: Block, writer: BlockWriter): string {
  const { type, data = {} } = node;
  const member = MEMBER_OF[type];
  const inside = member
    ? membersWithAsides(node, member)
        .map((one) => (one.type === member ? tagElement(one, writer) : linesText(one)))
        .join("")
    : htmlOfBlocks(blocksOf(node), writer);
  return elementOf(TAG_OF[type]!, tagAttributes(type, data), inside);
}

/** Images with their captions in HTML. */
export const captionsBy = (writer: Writer): ImageWriter => ({
  ...(writer.address && { address: writer.address }),
  words: (nodes) => htmlInline(nodes, writer),
});

const alignText = (align: unknown): unknown =>
  align === undefined
    ? undefined
    : ({ start: "left", center: "center", end: "right" }[String(align)] ?? align);

function listHtml(node: Block, inside: (item: Block) => string): string {
  const { type, data = {} } = node;
  const tasks = type === "list-tasks";
  const items = blocksOf(node).map((item) => {
    const box = tasks ? `<input type="checkbox"${item.data?.checked === true ? " checked" : ""}>` : "";
    return `<li>${box}${inside(item)}</li>`;
  });
  if (type === "list-ordered") return `<ol${htmlAttrs({ start: data.start })}>${items.join("")}</ol>`;
  return `<ul${htmlAttrs({ class: tasks ? TASKS : undefined })}>${items.join("")}</ul>`;
}

/** What is written as it stands may be read as something else where it stands now, so that is looked at. */
function readsBack(node: Block, source: string): boolean {
  if (node.type === "code" || node.type === "images") {
    const [read, ...others] = htmlBlocks(source, ALONE);
    return others.length === 0 && isDeepStrictEqual(written(read), written(node));
  }
  if (node.type === "list-tasks")
    return blocksOf(node).every(({ data }) => typeof data?.checked === "boolean");
  const kept = keptIn(inlinesOf(node));
  if (kept.length === 0) return true;
  if (kept.some((text) => STRUCTURE.test(text))) return false;
  const [read, ...others] = htmlBlocks(source, ALONE);
  return others.length === 0 && keptIn(inlinesOf(read ?? {})).join("\n") === kept.join("\n");
}
const ALONE: InlineContext = { footnote: () => undefined, blocks: () => [] };
const STRUCTURE =
  /<\/?(?:table|caption|thead|tbody|tfoot|tr|td|th|p|ul|ol|li|div|pre|blockquote|figure|h[1-6])(?=[\s>])/i;

/** A block without the keys and anchors that it is shown with, and with the addresses of what it refers to. */
const written = (node: Block | undefined): unknown =>
  JSON.parse(
    JSON.stringify(node ?? {}, (name, value) =>
      name === "key" || name === "meta" || name === "ref" || name === "refDark" ? undefined : value,
    ),
  );

const keptIn = (nodes: InlineNode[]): string[] =>
  nodes.flatMap((node) =>
    isText(node) ? node.leaves.filter(isVerbatim).map(({ text }) => text) : keptIn(inlinesOf(node)),
  );
