import { bodyOf, placesInSource } from "../source/source.js";
import { withKeys } from "./keys.js";
import type { Block } from "./nodes.js";
import { parseBlocks, parseDocument } from "./parse.js";

/** A block at the top of a page's document: its key, and where its words begin in the page's markdown. */
export interface KeyPlace {
  key: string;
  at: number;
}

/** Where the blocks of a page stand in its markdown; undefined when tags without an end make that a guess. */
export function placesOfKeys(markdown: string): KeyPlace[] | undefined {
  const source = bodyOf(markdown);
  const begins: number[] = [];
  const keys = keysOf(parseBlocks(source, { begins }));
  const shown = keysOf(parseDocument(markdown).nodes);
  if (begins.includes(-1) || keys.length !== shown.length || keys.some((key, at) => key !== shown[at]))
    return undefined;
  const lines = [0, ...[...source.matchAll(/\r\n?|\n/g)].map((end) => end.index + end[0].length)];
  const inSource = placesInSource(markdown);
  return keys.map((key, index) => {
    let at = lines[begins[index]!]!;
    while (" \t\r\n".includes(source[at] ?? "-")) at += 1;
    return { key, at: inSource(at) };
  });
}

const keysOf = (nodes: Block[]): string[] =>
  withKeys({ object: "document", data: {}, nodes }).nodes.map(({ key }) => key!);
