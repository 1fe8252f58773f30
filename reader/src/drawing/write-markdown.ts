import { createInclusions } from "@octavo/html/inclusions";
import type { Block, Inline, InlineNode, JSONDocument } from "@octavo/markdown/document/nodes";
import type { Address, Ref } from "@octavo/markdown/document/refs";
import { renderDocument } from "@octavo/markdown/document/render";
import { composeSource } from "@octavo/markdown/source/source";
import { readUrl } from "@octavo/shared/read-url";
import { encodedPath, linksOn } from "../site/links.js";
import { wordsIn } from "../words/index.js";
import { OF_APIS } from "./facts.js";
import { linkedIn, type MarkdownInput } from "./input.js";

type Links = ReturnType<typeof linksOn>;
type Node = Block | InlineNode;

/**
 * Writes a page as markdown for whoever reads it alone: what it includes is in it, and what it leads to has whole addresses,
 * pages those of their markdown. What leads nowhere on this site keeps its words, and is no link.
 */
export function writeMarkdown(input: MarkdownInput, document: JSONDocument): string {
  const { place, site, title, canonical } = input;
  const { space, referred } = linkedIn(input);
  const words = wordsIn(site.spoken);
  const links = linksOn(place, { ...site, words }, space, referred, (_, base, { title, path = "" }) => ({
    href: `${base}${encodedPath(path)}.md`,
    title,
  }));
  const alone = { ...document, nodes: readAlone(document.nodes, links) };
  const body = renderDocument(alone, { address: addressesIn(links, canonical) }).trimEnd();
  const parts = [composeSource({ title }, "").trimEnd(), body];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Kinds of references that lead to something of a site; others are written as they always are. */
const OF_SITES = new Set(["page", "anchor", "file", "space"]);

function addressesIn(links: Links, canonical: string): Address {
  return (ref) => {
    const href = links.link(ref)?.href;
    if (href === undefined) return OF_SITES.has(ref.kind) ? "" : undefined;
    return href.startsWith("/") ? (readUrl(href, canonical)?.href ?? href) : href;
  };
}

/** Blocks with what they include in its place, at any depth, and without links that lead nowhere. */
function readAlone(nodes: Block[], links: Links): Block[] {
  const inclusions = createInclusions();
  const refOf = ({ data }: Block | Inline) => (data?.ref ?? { kind: "" }) as Ref; // Cast: a reference, in the schema.
  const isLost = (ref: Ref) => OF_SITES.has(ref.kind) && links.link(ref) === undefined;

  function shown(node: Node): Node[] {
    if (node.object === "text") return [node];
    if (node.type === "reusable-content") {
      const included = links.reusable(refOf(node));
      return (included && inclusions.draw(included, included.nodes, () => blocks(included.nodes))) ?? [];
    }
    if (node.type === "link" && isLost(refOf(node))) return (node.nodes ?? []).flatMap(shown);
    if (node.type === "content-ref") {
      const text = links.link(refOf(node))?.title ?? node.data?.text;
      return isLost(refOf(node))
        ? []
        : [{ ...node, data: { ...node.data, ...(text !== undefined && { text }) } }];
    }
    const { fragments } = node;
    return [
      {
        ...node,
        // The words of such a block are its reference once more, as it was written.
        ...(OF_APIS.has(node.type) && { data: { ...node.data, body: undefined } }),
        ...(node.nodes && { nodes: (node.nodes as Node[]).flatMap(shown) }),
        ...(fragments && { fragments: fragments.map((one) => ({ ...one, nodes: blocks(one.nodes) })) }),
      } as Node, // Cast: of each kind the same kind.
    ];
  }
  const blocks = (some: Block[]) => some.flatMap(shown) as Block[]; // Cast: blocks become blocks.
  return blocks(nodes);
}
