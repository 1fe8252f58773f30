import { anchorOf } from "@octavo/html/anchor";
import { type Block, blocksOf } from "@octavo/markdown/document/nodes";
import type { Ref } from "@octavo/markdown/document/refs";
import type { BookPage } from "./book.js";

/** The places of a book that links lead to, under names of our own. */
export interface Labels {
  ofPage(index: number): string;
  /** The place that a reference in a page names; undefined when it is not in the book. */
  of(ref: Ref, index: number): { label: string; page: BookPage } | undefined;
  /** The name of an anchor's place, the first time that it is set there. */
  set(index: number, anchor: string): string | undefined;
  isSet(label: string): boolean;
}

/** Names the places of the pages of a book. */
export function labelsOf(pages: BookPage[]): Labels {
  const indexes = new Map(pages.map(({ id }, index) => [id, index]));
  const anchors = pages.map(({ document }, index) => anchorsIn(document?.nodes ?? [], index));
  const ofPage = (index: number) => `page-${index}`;
  const used = new Set(pages.map((_, index) => ofPage(index)));
  return {
    ofPage,
    of(ref, index) {
      const { kind, page, space, anchor } = ref;
      if (space !== undefined || (kind !== "page" && kind !== "anchor")) return undefined;
      const at = page === undefined && kind === "anchor" ? index : indexes.get(String(page));
      if (at === undefined) return undefined;
      const label = typeof anchor === "string" ? anchors[at]!.get(anchor) : undefined;
      return { label: label ?? ofPage(at), page: pages[at]! };
    },
    set(index, anchor) {
      const label = anchors[index]!.get(anchor);
      if (label === undefined || used.has(label)) return undefined;
      used.add(label);
      return label;
    },
    isSet: (label) => used.has(label),
  };
}

/** The anchors of blocks, at any depth, by the names that they get. */
function anchorsIn(nodes: Block[], page: number): Map<string, string> {
  const found = new Map<string, string>();
  const open = [...nodes];
  for (let next = open.pop(); next; next = open.pop()) {
    const anchor = anchorOf(next);
    if (anchor !== undefined && !found.has(anchor)) found.set(anchor, `page-${page}-${found.size}`);
    for (const inner of blocksOf(next)) open.push(inner);
    for (const { nodes: inner } of next.fragments ?? []) for (const one of inner) open.push(one);
  }
  return found;
}
