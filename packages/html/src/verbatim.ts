import type { Data } from "@octavo/markdown/document/nodes";

/**
 * What is to be seen of source that the document has no form for: its words, without the tags of HTML and of blocks around
 * them; nothing of comments.
 */
export function visibleSource(source: string, data: Data | undefined): string {
  if (data?.hidden === true) return "";
  const words = source
    .replace(/<!--(?:(?!-->)[\s\S])*(?:-->|$)/g, "")
    .replace(/<\/?[a-zA-Z][^<>]*>/g, "")
    .replace(/\{%[^{}]*%\}/g, "");
  return words.replace(/[^\S\n]{2,}/g, " ");
}
