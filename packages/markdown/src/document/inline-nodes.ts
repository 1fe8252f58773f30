import { sameMarks } from "./marks.js";
import type { Inline, InlineNode, Leaf, Mark } from "./nodes.js";
import { leaf, textNode } from "./nodes.js";

/** Collects the nodes of a line of text; words with the same marks become one leaf. */
export interface Collector {
  nodes: InlineNode[];
  leaves: Leaf[];
}

/** Creates an empty collector. */
export const collector = (): Collector => ({ nodes: [], leaves: [] });

/** Adds words with marks to a collector; no words add nothing. */
export function addWords({ leaves }: Collector, text: string, marks: Mark[]): void {
  if (text === "") return;
  const last = leaves.at(-1);
  if (last && (last.marks === marks || sameMarks(last.marks, marks))) last.text += text;
  else leaves.push(leaf(text, marks));
}

/** Adds an inline node to a collector, after the words so far. */
export function addInline(into: Collector, inline: Inline): void {
  flush(into);
  into.nodes.push(inline);
}

/** Returns the nodes of a collector, the words so far among them. */
export function flush(into: Collector): InlineNode[] {
  if (into.leaves.length > 0) into.nodes.push(textNode(into.leaves));
  into.leaves = [];
  return into.nodes;
}
