import { type Block, type Data, type InlineNode, isText, type Leaf } from "./nodes.js";

/** Where one paragraph, item or heading of HTML ends and the next element begins, and breaks that say more than that. */
const LINE_ENDS = /<\/(?:p|div|li|ul|ol|dt|dd|tr|blockquote|h[1-6])\s*>[^\S\n]*(?=<[a-z])|<br\b[^<>]*>/gi;

/**
 * What is to be seen of source that the document has no form for: its words, without the tags of HTML and of blocks around
 * them, each paragraph on a line of its own; nothing of comments.
 */
export function visibleSource(source: string, data: Data | undefined): string {
  if (data?.hidden === true) return "";
  const words = source
    .replace(/<!--(?:(?!-->)[\s\S])*(?:-->|$)/g, "")
    .replace(LINE_ENDS, "\n")
    .replace(/<\/?[a-zA-Z][^<>]*>/g, "")
    .replace(/\{%[^{}]*%\}/g, "");
  return words.replace(/[^\S\n]{2,}/g, " ");
}

/** Returns what is to be seen of the words of a leaf. */
export function visibleText({ text, marks }: Leaf): string {
  const kept = marks.find(({ data }) => data?.verbatim === true);
  return kept ? visibleSource(text, kept.data) : text;
}

/** Returns what is to be seen of inline nodes in one line of plain text. */
export const visibleLine = (nodes: InlineNode[]): string => visibleLines(nodes).replace(/ *\n */g, " ");

const visibleLines = (nodes: (Block | InlineNode)[]): string =>
  nodes
    .map((node) => (isText(node) ? node.leaves.map(visibleText).join("") : visibleLines(node.nodes ?? [])))
    .join("");
