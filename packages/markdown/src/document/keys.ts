import { type Block, type Fragment, type InlineNode, isBlock, isText, type JSONDocument } from "./nodes.js";
import { addressIn } from "./refs.js";

/**
 * The document with a `key` on every block, by which comments and changes name it. It stands for what the block says
 * and what it stands in, so that a page has the same keys whenever it is read, and an edit changes those of the blocks
 * that it changes; of blocks that say the same, the second has `-2` behind it. Links count as they are written: their
 * targets come and go. Linear in the length.
 */
export function withKeys(document: JSONDocument): JSONDocument {
  const seen = new Map<string, number>();
  for (const node of document.nodes) keyed(node, "", seen);
  return document;
}

/** The block with a key, at any depth. */
export function blockWithKey({ nodes }: JSONDocument, key: string): Block | undefined {
  const open: (Block | InlineNode | Fragment)[] = [...nodes];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.object === "text") continue;
    if (node.object === "block" && node.key === key) return node;
    for (const inner of node.nodes ?? []) open.push(inner);
    if (node.object !== "fragment") for (const fragment of node.fragments ?? []) open.push(fragment);
  }
  return undefined;
}

/** Gives a block and the blocks in it their keys, and returns the block's. */
function keyed(node: Block, within: string, seen: Map<string, number>): string {
  const place = `${within}>${node.type}`;
  const content = digest(`${place}\n${saidBy(node, place, seen)}`);
  const count = (seen.get(content) ?? 0) + 1;
  seen.set(content, count);
  node.key = count === 1 ? content : `${content}-${count}`;
  return content;
}

/** The words of a block and its attributes; a block in it is its key. */
function saidBy({ data, nodes, fragments }: Block, place: string, seen: Map<string, number>): string {
  let content = dataOf(data);
  for (const node of nodes ?? [])
    content += isBlock(node) ? `\u0001${keyed(node, place, seen)}` : inLine(node, place, seen);
  for (const fragment of fragments ?? []) content += inFragment(fragment, place, seen);
  return content;
}

function inLine(node: InlineNode, place: string, seen: Map<string, number>): string {
  let content = "";
  if (isText(node)) {
    for (const { text, marks } of node.leaves) {
      content += `\u0002${text}`;
      for (const mark of marks) content += `\u0003${mark.type}${dataOf(mark.data)}`;
    }
    return content;
  }
  content = `\u0004${node.type}${dataOf(node.data)}`;
  for (const inner of node.nodes ?? []) content += inLine(inner, place, seen);
  for (const fragment of node.fragments ?? []) content += inFragment(fragment, place, seen);
  return `${content}\u0005`;
}

function inFragment({ fragment = "", nodes }: Fragment, place: string, seen: Map<string, number>): string {
  let content = `\u0006${fragment}`;
  for (const node of nodes) content += `\u0001${keyed(node, place, seen)}`;
  return content;
}

function dataOf(data: Block["data"]): string {
  if (data === undefined) return "";
  for (const _ in data) return JSON.stringify(data, asWritten);
  return "";
}

const asWritten = (_name: string, value: unknown) =>
  typeof value === "object" && value !== null ? (addressIn(value) ?? value) : value;

/** 64 bits of a text, quickly: nobody gains anything by two blocks that count as alike. */
function digest(text: string): string {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x9e3779b1);
    two = Math.imul(two ^ code, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(two ^ (two >>> 13), 0xc2b2ae35);
  two = Math.imul(two ^ (two >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return (one >>> 0).toString(36) + (two >>> 0).toString(36).padStart(7, "0");
}
