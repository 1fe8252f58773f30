import { posix } from "node:path";
import { extractLinks } from "@octavo/markdown/links/links";
import { type PageSource, readSource } from "@octavo/markdown/source/source";
import { isHidden, isMarkdown } from "./names.js";

/**
 * What an import reads in a text at a path: what it says about its page, and the paths of the files, other than pages,
 * that it points to.
 */
export function readImported({ path, text }: { path: string; text: string }): {
  source: PageSource;
  links: string[];
} {
  const written = new Set(extractLinks(text).map(({ path }) => path));
  const folder = posix.dirname(path);
  const links = Array.from(written, (link) => posix.join(folder, link));
  return { source: readSource(text), links: links.filter((link) => !isMarkdown(link) && !isHidden(link)) };
}
