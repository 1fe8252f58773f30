import { slugGiver, slugify } from "../slug.js";
import { type Block, blocksOf, inlinesOf, type JSONDocument, plainText } from "./nodes.js";

/**
 * The document with `meta.id` on every heading, tab and expandable: the anchor in the page's URL. It is the heading's
 * own id, else made from its words, and unique on the page. Headings at the top come first, as in `sections`.
 */
export function withAnchors(document: JSONDocument): JSONDocument {
  const give = slugGiver();
  const later: Block[] = [];
  const name = (node: Block) => {
    const wanted = anchorOf(node);
    if (wanted !== undefined) node.meta = { ...node.meta, id: give(wanted) };
  };
  for (const node of document.nodes) {
    if (node.type.startsWith("heading-")) name(node);
    else later.push(node);
  }
  later.reverse();
  for (let node = later.pop(); node; node = later.pop()) {
    name(node);
    const below = [...blocksOf(node), ...(node.fragments ?? []).flatMap(({ nodes }) => nodes)];
    for (const inner of below.reverse()) later.push(inner);
  }
  return document;
}

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
