import { type HtmlTag, htmlAttrs } from "./html.js";
import { type Block, block, type Data, inlinesOf, isText, paragraph, plainText } from "./nodes.js";
import type { Resolve } from "./refs.js";
import { tagContainer, tagLeaf } from "./tag-blocks.js";
import type { Tag } from "./tags.js";

/**
 * The tag that `<div data-gb-custom-block data-tag="hint" data-style="info">` stands for; undefined when it has attributes
 * that no tag has.
 */
export function customTag({ attrs }: HtmlTag): Tag | undefined {
  const { "data-gb-custom-block": custom, "data-tag": name, class: style, ...others } = attrs;
  // Whom a condition is for can only be read where it is a tag.
  if (custom === undefined || !name || name === "if") return undefined;
  if (!Object.keys(others).every((key) => /^data-[a-z]/.test(key))) return undefined;
  const given = Object.entries(others).map(([key, value]) => [camelCase(key.slice(5)), value]);
  const known = style === undefined || style === `${name} ${name}-${others["data-style"]}`;
  const read = { ...Object.fromEntries(given), ...(known ? {} : { class: style }) };
  return { name, attrs: read, source: Object.keys(read).join(" "), end: 0 };
}

const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The block of such an element with HTML in it; undefined when no tag of that name stands for one. */
export function customBlock(tag: HtmlTag, inner: () => Block[], resolve?: Resolve): Block | undefined {
  const read = customTag(tag);
  if (!read) return undefined;
  if (read.name === "hint") {
    const nodes = inner();
    const hint = tagContainer(read, nodes.length > 0 ? nodes : [paragraph([])]);
    return block("hint", { ...hint.data, html: true }, hint.nodes!);
  }
  if (!["embed", "file", "content-ref"].includes(read.name)) return undefined;
  const nodes = inner();
  const [only] = nodes;
  const words = only && inlinesOf(only).every(isText) ? plainText(inlinesOf(only)) : "link";
  return tagLeaf(read, nodes.length > 0 ? words : "", nodes, resolve);
}

/** A hint as such an element around HTML. */
export function customHint({ html: _, style, ...data }: Data, inner: string): string {
  const attrs = Object.entries(data).map(([key, value]) => [
    key === "class" ? key : `data-${dashed(key)}`,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  const given = { "data-style": style, ...Object.fromEntries(attrs) };
  const derived = "class" in given ? {} : { class: `hint hint-${style}` };
  return `<div data-gb-custom-block data-tag="hint"${htmlAttrs({ ...given, ...derived })}>${inner}</div>`;
}
