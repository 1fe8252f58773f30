import { headingDepth } from "@octavo/markdown/document/heading";
import { type Block, blocksOf, type JSONDocument, plainText } from "@octavo/markdown/document/nodes";
import { anchorOf } from "./anchor.js";

/** A heading of a page, as its outline lists it. */
export interface OutlineEntry {
  id: string;
  title: string;
  /** 2 for the headings of the first level below the title. */
  level: number;
}

/** The headings of a document that an outline lists: of two levels, with an anchor and words; also those in steps and columns. */
export function outlineOf(document: JSONDocument): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const open = [...document.nodes].reverse();
  for (let next = open.pop(); next && entries.length < MAX_ENTRIES; next = open.pop()) {
    if (LISTED.has(next.type)) {
      const title = plainText(next.nodes ?? []).trim();
      const id = anchorOf(next);
      const level = Math.max(2, headingDepth(next));
      if (id !== undefined && title !== "" && level <= 3) entries.push({ id, title, level });
    } else if (OPENED.has(next.type)) for (const inner of blocksOf(next).reverse()) open.push(inner);
  }
  return entries;
}

const MAX_ENTRIES = 300;
const LISTED = new Set<Block["type"]>(["heading-1", "heading-2"]);
const OPENED = new Set<Block["type"]>(["stepper", "stepper-step", "columns", "column", "updates", "update"]);
