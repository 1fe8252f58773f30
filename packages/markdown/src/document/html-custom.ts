import { joinedLines } from "../parser/blanks.js";
import { customTag } from "../parser/custom-tag.js";
import { escapeHtml, type HtmlTag, type HtmlToken, htmlAttrs, isComments } from "../parser/html.js";
import type { Tag } from "../parser/tags.js";
import { withAsides } from "./asides.js";
import { codeWithOptions, promptOf } from "./code.js";
import { pairTags } from "./html-inline.js";
import { type Block, type Data, inlinesOf, isText, paragraph, plainText, verbatim } from "./nodes.js";
import type { Resolve } from "./refs.js";
import { tagContainer, tagLeaf } from "./tag-blocks.js";

// Tags as elements: `<div data-gb-custom-block data-tag="hint" data-style="info">`, with HTML in them as in cells, or
// around markdown.

const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Reads pieces of HTML as blocks. */
type Inner = (tokens: HtmlToken[]) => Block[];

/** The block of such an element with HTML in it; undefined when no tag of that name stands for one. */
export function customBlock(
  tag: HtmlTag,
  tokens: HtmlToken[],
  inner: Inner,
  resolve?: Resolve,
): Block | undefined {
  const read = customTag(tag);
  if (!read) return undefined;
  const group = Object.hasOwn(GROUP_OF, read.name) ? GROUP_OF[read.name]! : undefined;
  if (group) return containerOf({ ...read, name: group, attrs: {} }, [memberOf(read, tokens, inner)]);
  if (Object.hasOwn(MEMBER_TAGS, read.name)) {
    const members = membersIn(tokens, MEMBER_TAGS[read.name]!, inner);
    return members && containerOf(read, members);
  }
  if (read.name === "hint") return memberOf(read, tokens, inner);
  if (!LEAVES.has(read.name)) return undefined;
  const nodes = inner(tokens);
  if (read.name === "code") return codeWithOptions(read, nodes);
  if (read.name === "prompt") return promptOf(read, nodes);
  const [only] = nodes;
  const words = only && inlinesOf(only).every(isText) ? plainText(inlinesOf(only)) : "link";
  return tagLeaf(read, nodes.length > 0 ? words : "", nodes, resolve);
}

const LEAVES = new Set(["code", "prompt", "embed", "file", "content-ref"]);
const MEMBER_TAGS: Record<string, string> = {
  tabs: "tab",
  stepper: "step",
  columns: "column",
  updates: "update",
};
const GROUP_OF = Object.fromEntries(Object.entries(MEMBER_TAGS).map(([group, member]) => [member, group]));

const containerOf = (tag: Tag, nodes: Block[]): Block => {
  const found = tagContainer(tag, nodes);
  return { ...found, data: { ...found.data, html: true } };
};

function memberOf(tag: Tag, tokens: HtmlToken[], inner: Inner): Block {
  const nodes = inner(tokens);
  return containerOf(tag, nodes.length > 0 ? nodes : [paragraph([])]);
}

/** The members of a group with the comments between them; undefined when it holds something else. */
function membersIn(tokens: HtmlToken[], member: string, inner: Inner): Block[] | undefined {
  const nodes: Block[] = [];
  const ends = pairTags(tokens, (name) => name === "div");
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    const source = "text" in token ? token.text : token.source;
    if (source.trim() === "") continue;
    if (isComments(source)) {
      nodes.push(verbatim(source));
      continue;
    }
    const end = ends.get(at);
    const tag = "text" in token || end === undefined ? undefined : customTag(token);
    if (tag?.name !== member) return undefined;
    nodes.push(memberOf(tag, tokens.slice(at + 1, end), inner));
    at = end!;
  }
  const type = nodes.find((node) => node.type !== "code")?.type;
  const members = type === undefined ? [] : withAsides(nodes, type);
  return members.length > 0 && members.every((node) => node.type === type) ? members : undefined;
}

/** Such an element around HTML. */
export function elementOf(name: string, attrs: Data, inner: string): string {
  const given = Object.entries(attrs)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => [key === "class" ? key : `data-${dashed(key)}`, valueText(value)]);
  const derived = name === "hint" && !("class" in attrs) ? { class: `hint hint-${attrs.style}` } : {};
  return `<div data-gb-custom-block data-tag="${name}"${htmlAttrs({ ...Object.fromEntries(given), ...derived })}>${inner}</div>`;
}

/** Such an element around markdown. */
export function elementAround(name: string, attrs: Data, inside: string): string {
  const given = Object.entries(attrs)
    .filter(([key, value]) => value !== undefined && value !== null && /^[A-Za-z_][\w.-]*$/.test(key))
    .map(([key, value]) => {
      const words = joinedLines(escapeHtml(valueText(value)).replaceAll("'", "&#x27;"));
      return ` ${key === "class" ? key : `data-${key}`}='${words}'`;
    });
  const start = `<div data-gb-custom-block data-tag="${name}"${given.join("")}>`;
  return [start, inside, "</div>"].filter((part) => part !== "").join("\n\n");
}

const valueText = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);
