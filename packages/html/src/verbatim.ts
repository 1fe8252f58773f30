import type { Data } from "@octavo/markdown/document/nodes";

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
