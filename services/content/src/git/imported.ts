import { extractLinks } from "@octavo/markdown/links";
import { type PageSource, readSource } from "@octavo/markdown/source";

/** What an import reads in a text: what it says about its page, and the paths that it points to, as they are written. */
export function readImported(text: string): { source: PageSource; paths: string[] } {
  return { source: readSource(text), paths: [...new Set(extractLinks(text).map(({ path }) => path))] };
}
