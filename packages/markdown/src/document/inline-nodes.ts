import { sameMarks } from "./marks.js";
import type { Inline, InlineNode, Leaf, Mark } from "./nodes.js";
import { leaf, textNode } from "./nodes.js";

/** Collects the nodes of a line of text; words with the same marks become one leaf. */
export interface Collector {
  nodes: InlineNode[];
  leaves: Leaf[];
}

export const collector = (): Collector => ({ nodes: [], leaves: [] });

export function addWords({ leaves }: Collector, text: string, marks: Mark[]): void {
  if (text === "") return;
  const last = leaves.at(-1);
  if (last && (last.marks === marks || sameMarks(last.marks, marks))) last.text += text;
  else leaves.push(leaf(text, marks));
}

export function addInline(into: Collector, inline: Inline): void {
  flush(into);
  into.nodes.push(inline);
}

export function flush(into: Collector): InlineNode[] {
  if (into.leaves.length > 0) into.nodes.push(textNode(into.leaves));
  into.leaves = [];
  return into.nodes;
}
