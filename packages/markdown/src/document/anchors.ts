import { slugGiver, slugify } from "../source/slug.js";
import { type Block, blocksOf, inlinesOf, type JSONDocument, plainText } from "./nodes.js";

/**
 * The document with `meta.id` on every heading, tab and expandable: the anchor in the page's URL. It is the heading's
 * own id, else made from its words, and unique on the page. Headings that begin a section come first, as in `sections`.
 */
export function withAnchors(document: JSONDocument): JSONDocument {
  const give = slugGiver();
  const name = (node: Block) => {
    const wanted = anchorOf(node);
    if (wanted !== undefined) node.meta = { ...node.meta, id: give(wanted) };
  };
  const later: Block[] = [];
  eachBlock(document.nodes, (node, sectioned) => {
    if (sectioned && node.type.startsWith("heading-")) name(node);
    else later.push(node);
  });
  for (const node of later) name(node);
  return document;
}

/** Calls back for every block in the order of the page, saying whether headings begin sections where it stands. */
function eachBlock(nodes: Block[], onBlock: (node: Block, sectioned: boolean) => void): void {
  const open = nodes.map((node) => ({ node, sectioned: true })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, sectioned } = next;
    onBlock(node, sectioned);
    const inside = sectioned && !UNSECTIONED.has(node.type);
    const below = [...blocksOf(node), ...(node.fragments ?? []).flatMap((fragment) => fragment.nodes)];
    for (const inner of below.reverse()) open.push({ node: inner, sectioned: inside });
  }
}
const UNSECTIONED = new Set(["list-ordered", "list-unordered", "list-tasks", "blockquote", "table"]);

/** The anchor that a node would have alone on the page. */
export function anchorOf(node: Block): string | undefined {
  const { type, data = {}, fragments = [] } = node;
  if (type.startsWith("heading-")) {
    const text = plainText(inlinesOf(node)).trim();
    if (typeof data.id === "string") return data.id;
    return text === "" ? undefined : slugify(text, "section");
  }
  if (type === "tabs-item") return slugify(String(data.title ?? ""), "tab");
  if (type !== "expandable") return undefined;
  return slugify(plainText(fragments[0]?.nodes.flatMap((one) => inlinesOf(one)) ?? []), "expandable");
}
