import { escapeHtml, htmlAttrs, keptAttrs } from "../parser/html.js";
import { codeSpan, destination, escapeText, keepBlanks, titleText } from "./escape.js";
import { withoutSpares } from "./escapes.js";
import { joinLeaves, sameMark } from "./marks.js";
import {
  type Data,
  type Fragment,
  type Inline,
  type InlineNode,
  isText,
  type Leaf,
  type Mark,
  plainText,
} from "./nodes.js";
import { type Address, addressOf } from "./refs.js";
import { renderLines } from "./render-lines.js";
import { DELIMITERS, wrap } from "./render-marks.js";
import { button, emoji, inlineImage, inlineMath } from "./render-void.js";

/** What writing needs to know of the document. */
export interface Writer {
  address?: Address;
  /** Remembers the body of a note; the label it is written with. */
  footnote(body: Fragment | undefined): string;
  /** Writes `<br>` for a line break: a backslash and a new line can not stand in a heading or a cell. */
  oneLine: boolean;
  /** Source that is kept defines labels of links: brackets may be one of those. */
  defines: boolean;
}

/** A part of a line: what is written, and the marks around it. */
interface Piece {
  marks: Mark[];
  source: string;
  /** An inline without marks of its own: it may stand within any. */
  free: boolean;
  /** Code without backticks, for where others touch it; source that is kept has none. */
  code?: { element?: string };
}

/** A line of text as markdown. */
export function renderInline(nodes: InlineNode[], writer: Writer): string {
  const source = nest(allPieces(nodes, writer), NESTING, "", "");
  const ended = withLastBreaks(
    withoutSpares(source, { bare: bareAddresses(nodes, writer), defines: writer.defines }),
  );
  if (writer.oneLine) return keepBlanks(ended);
  return renderLines(ended);
}

function bareAddresses(nodes: InlineNode[], { address }: Writer): Set<string> {
  const bare = new Set<string>();
  for (const node of nodes) {
    if (!isText(node) && node.data?.autolink === "bare") bare.add(addressOf(node.data.ref, address));
  }
  return bare;
}

/** A backslash and a new line break nothing at the end of a text. */
function withLastBreaks(source: string): string {
  let end = source.length;
  while (source.endsWith("\\\n", end)) end -= 2;
  return source.slice(0, end) + "<br>".repeat((source.length - end) / 2);
}

/** Leaves next to each other with the same marks are one: two spans of code in a row would read as one other. */
function allPieces(nodes: InlineNode[], writer: Writer): Piece[] {
  const list: Piece[] = [];
  let leaves: Leaf[] = [];
  const end = () => {
    for (const leaf of joinLeaves(leaves)) list.push(leafPiece(leaf, writer));
    leaves = [];
  };
  for (const [index, node] of nodes.entries()) {
    if (isText(node)) {
      for (const leaf of node.leaves) leaves.push(leaf);
      continue;
    }
    end();
    const around = [...marksBeside(nodes[index - 1], -1), ...marksBeside(nodes[index + 1], 0)];
    list.push(inlinePiece(node, around, writer));
  }
  end();
  return list;
}

/** Marks that all words of a link have stand around it where they go on beside it, or where its text is its address. */
function inlinePiece(node: Inline, around: Mark[], writer: Writer): Piece {
  const worded = node.type === "link" || node.type === "annotation";
  const shared = worded && node.data?.attributes === undefined ? sharedMarks(node) : [];
  const outside =
    node.data?.autolink === undefined
      ? shared.filter((mark) => around.some((other) => sameMark(other, mark)))
      : shared;
  return { marks: outside, source: renderNode(node, outside, writer), free: !worded };
}

/** The marks at the near end of what stands beside a link. */
function marksBeside(node: InlineNode | undefined, end: 0 | -1): Mark[] {
  if (!node) return [];
  return isText(node) ? (node.leaves.at(end)?.marks ?? []) : sharedMarks(node);
}

/** The marks that all words of a link or a note have: written around it. */
function sharedMarks({ nodes = [] }: Inline): Mark[] {
  const leaves = nodes.flatMap((node) => (isText(node) ? node.leaves : []));
  const [first, ...others] = leaves;
  if (!first || nodes.some((node) => !isText(node))) return [];
  return first.marks.filter(
    (mark) => mark.type !== "code" && others.every(({ marks }) => marks.some((one) => sameMark(one, mark))),
  );
}

function leafPiece({ text, marks }: Leaf, writer: Writer): Piece {
  const raw = marks.find(({ data }) => data?.verbatim === true);
  if (raw) return { marks: marks.filter((mark) => mark !== raw), source: text, free: false, code: {} };
  const code = marks.some(({ type }) => type === "code");
  const around = marks.filter(({ type }) => type !== "code");
  const line = writer.oneLine ? "<br>" : "\\\n";
  const words = text
    .split("\n")
    .map((part) => (code ? part && codeSpan(part) : escapeText(part).replace(/\r/g, "&#xd;")));
  const source = words.join(line);
  if (!code) return { marks: around, source, free: false };
  const element = text.split("\n").map((part) => part && `<code>${escapeText(part)}</code>`);
  return { marks: around, source, free: false, code: { element: element.join(line) } };
}

/** Marks that may stand around others: of two that reach equally far, the first is outside. */
const NESTING: readonly string[] = [
  "color",
  "italic",
  "bold",
  "strikethrough",
  "superscript",
  "subscript",
  "keyboard",
];

/** Writes pieces; those with the same mark in a row share it, and the mark that reaches farthest is outside. */
function nest(list: Piece[], types: readonly string[], before: string, after: string): string {
  if (types.length === 0) return joined(list);
  const out: string[] = [];
  for (let at = 0; at < list.length; ) {
    const run = farthest(list, at, types);
    let end = run?.end ?? at + 1;
    if (!run) while (end < list.length && !types.some((type) => markOf(list[end]!, type))) end += 1;
    const left = out.at(-1)?.at(-1) ?? before;
    const right = end < list.length ? firstOf(list, end, types) : after;
    const part = list.slice(at, end);
    const inner = run && types.filter((type) => type !== run.mark.type);
    const source = run ? wrap(run.mark, nest(part, inner!, ">", "<"), left, right) : joined(part);
    if (source !== "") out.push(source);
    at = end;
  }
  return out.join("");
}

interface Run {
  mark: Mark;
  end: number;
}

/** The mark of a piece that the most pieces behind it share; those without marks of their own stand in between. */
function farthest(list: Piece[], at: number, types: readonly string[]): Run | undefined {
  let best: Run | undefined;
  for (const type of types) {
    const mark = markOf(list[at]!, type);
    if (!mark) continue;
    let end = at + 1;
    for (let next = end; next < list.length; next += 1) {
      const other = markOf(list[next]!, type);
      if (other && sameMark(other, mark)) end = next + 1;
      else if (!list[next]!.free) break;
    }
    if (!best || end > best.end) best = { mark, end };
  }
  return best;
}

const markOf = ({ marks }: Piece, type: string): Mark | undefined => marks.find((mark) => mark.type === type);
/** What a piece begins with: the delimiter of its outermost mark. */
function firstOf(list: Piece[], at: number, types: readonly string[]): string {
  const outer = farthest(list, at, types)?.mark.type;
  return outer ? (DELIMITERS[outer]?.[0]?.[0] ?? "<") : (list[at]!.source[0] ?? "");
}

/** Words next to each other that read as something else only together are kept apart. */
function joined(list: Piece[]): string {
  const out: string[] = [];
  for (const [index, { source, code }] of list.entries()) {
    const last = out.at(-1) ?? "";
    const before = list[index - 1]?.code;
    const touch = before && code && last.endsWith("`") && source.startsWith("`");
    if (last.endsWith("!") && source.startsWith("[")) out[out.length - 1] = `${last.slice(0, -1)}\\!`;
    if (touch && !code.element && before.element) out[out.length - 1] = before.element;
    out.push((touch && code.element) || source);
  }
  return out.join("");
}

function renderNode(node: Inline, shared: Mark[], writer: Writer): string {
  const data: Data = node.data ?? {};
  const to = (ref: unknown) => addressOf(ref, writer.address);
  switch (node.type) {
    case "link":
      return link(node, shared, to(data.ref), writer);
    case "emoji":
      return emoji(String(data.code ?? ""));
    case "icon":
      return `<i class="fa-${data.icon}"${keptAttrs(data.attributes)}>:${data.icon}:</i>`;
    case "expression":
      return `<code class="expression">${escapeHtml(String(data.expression ?? "")).replace(/[\r\n]+/g, " ")}</code>`;
    case "inline-math":
      return inlineMath(data);
    case "inline-image":
      return inlineImage(data, to);
    case "mention": {
      const url = to(data.ref);
      return `[${escapeText(String(data.text ?? url))}](${destination(url)} "mention")`;
    }
    case "button":
      return button(data, to);
    case "annotation": {
      const label = writer.footnote(node.fragments?.[0]);
      return `[${words(node, shared, writer)}](#user-content-fn-${label})[^${label}]`;
    }
    default:
      return escapeText(plainText(node.nodes ?? []));
  }
}

const words = (node: Inline, without: Mark[], writer: Writer): string => {
  const bare = (leaf: Leaf): Leaf => ({
    ...leaf,
    marks: leaf.marks.filter((mark) => !without.some((one) => sameMark(one, mark))),
  });
  const nodes = (node.nodes ?? []).map((child) =>
    isText(child) ? { ...child, leaves: child.leaves.map(bare) } : child,
  );
  return nest(allPieces(nodes, writer), NESTING, "", "");
};

const AUTOLINK = /^(?:https?:\/\/|mailto:)[A-Za-z0-9][^\s<>\\`*[\]{}|]*$/;

function link(node: Inline, shared: Mark[], url: string, writer: Writer): string {
  const { attributes } = node.data ?? {};
  if (attributes !== undefined)
    return `<a${htmlAttrs({ href: url, title: node.data!.title })}${keptAttrs(attributes)}>${words(node, shared, writer)}</a>`;
  const title =
    typeof node.data?.title === "string" && node.data.title !== "" ? titleText(node.data.title) : "";
  const only = node.nodes?.length === 1 ? node.nodes[0]! : undefined;
  const leaf = only && isText(only) && only.leaves.length === 1 ? only.leaves[0]! : undefined;
  const same = leaf && leaf.marks.length === shared.length && leaf.text === url;
  if (same && title === "" && node.data?.autolink !== undefined && AUTOLINK.test(url)) return `<${url}>`;
  return `[${words(node, shared, writer)}](${destination(url)}${title})`;
}
