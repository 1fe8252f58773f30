import { type PageCover, readSource, writeProperties } from "@octavo/markdown/source/source";
import type { SourceText } from "./material/material.js";

const coverOf = (markdown: string): PageCover | undefined =>
  /^\uFEFF?---/.test(markdown) ? readSource(markdown).cover : undefined;

/** The addresses of the covers that a text names in its frontmatter. */
export function coversIn(markdown: string): string[] {
  const { ref, refDark } = coverOf(markdown) ?? {};
  return [ref, refDark].filter((address) => address !== undefined);
}

/** A text with other addresses of covers, where `move` knows one. */
export function withCovers({ markdown }: SourceText, move: (address: string) => string | undefined): string {
  const cover = coverOf(markdown);
  if (!cover) return markdown;
  const moved = (address: string | undefined) =>
    address === undefined ? undefined : (move(address) ?? address);
  const [ref, refDark] = [moved(cover.ref), moved(cover.refDark)];
  if (ref === cover.ref && refDark === cover.refDark) return markdown;
  return writeProperties(markdown, { cover: { ...cover, ref, refDark } });
}
