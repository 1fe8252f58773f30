import { codeSpan, destination, escapeText, keepBlanks, titleText } from "./escape.js";
import { escapeHtml, htmlAttrs, keptAttrs } from "./html.js";
import { joinLeaves, MARK_ORDER, sameMark } from "./marks.js";
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
  const source = nest(allPieces(nodes, writer), 0, "", "");
  const ended = withLastBreaks(source);
  if (writer.oneLine) return keepBlanks(ended);
  return renderLines(ended);
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
  for (const node of nodes) {
    if (isText(node)) {
      for (const leaf of node.leaves) leaves.push(leaf);
      continue;
    }
    end();
    list.push(inlinePiece(node, writer));
  }
  end();
  return list;
}

function inlinePiece(node: Inline, writer: Writer): Piece {
  const worded = node.type === "link" || node.type === "annotation";
  const shared = worded && node.data?.attributes === undefined ? sharedMarks(node) : [];
  return { marks: shared, source: renderNode(node, shared, writer), free: !worded };
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

/** Writes pieces; those with the same mark in a row share it. */
function nest(list: Piece[], depth: number, before: string, after: string): string {
  const type = MARK_ORDER[depth];
  if (type === undefined || type === "code") return joined(list);
  const out: string[] = [];
  for (let at = 0; at < list.length; ) {
    const mark = markOf(list[at]!, type);
    let end = at + 1;
    if (!mark) {
      while (end < list.length && !markOf(list[end]!, type)) end += 1;
    } else {
      for (let next = end; next < list.length; next += 1) {
        const other = markOf(list[next]!, type);
        if (other && sameMark(other, mark)) end = next + 1;
        else if (!list[next]!.free) break;
      }
    }
    const left = out.at(-1)?.at(-1) ?? before;
    const right = end < list.length ? firstOf(list[end]!, depth) : after;
    const part = list.slice(at, end);
    const source = mark
      ? wrap(mark, nest(part, depth + 1, ">", "<"), left, right)
      : nest(part, depth + 1, left, right);
    if (source !== "") out.push(source);
    at = end;
  }
  return out.join("");
}

const markOf = ({ marks }: Piece, type: string): Mark | undefined => marks.find((mark) => mark.type === type);
/** What a piece begins with: the delimiter of its outermost mark from this depth on. */
function firstOf({ marks, source }: Piece, depth: number): string {
  const outer = MARK_ORDER.slice(depth).find(
    (type) => type !== "code" && marks.some((mark) => mark.type === type),
  );
  return outer ? (DELIMITERS[outer]?.[0] ?? "<") : (source[0] ?? "");
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
  return keepBlanks(nest(allPieces(nodes, writer), 0, "", ""));
};

const AUTOLINK = /^(?:https?:\/\/|mailto:)[A-Za-z0-9][^\s<>\\`*_[\]{}|&]*$/;

function link(node: Inline, shared: Mark[], url: string, writer: Writer): string {
  const { attributes } = node.data ?? {};
  if (attributes !== undefined)
    return `<a${htmlAttrs({ href: url, title: node.data!.title })}${keptAttrs(attributes)}>${words(node, shared, writer)}</a>`;
  const title =
    typeof node.data?.title === "string" && node.data.title !== "" ? titleText(node.data.title) : "";
  const only = node.nodes?.length === 1 ? node.nodes[0]! : undefined;
  const leaf = only && isText(only) && only.leaves.length === 1 ? only.leaves[0]! : undefined;
  const bare = leaf && leaf.marks.length === shared.length && leaf.text === url;
  if (bare && title === "" && AUTOLINK.test(url)) return `<${url}>`;
  return `[${words(node, shared, writer)}](${destination(url)}${title})`;
}
