import type { Block } from "./nodes.js";
import type { Writer } from "./render-inline.js";

/** How the blocks inside a block are written. */
export interface BlockWriter extends Writer {
  depth: number;
  /** Blocks with a blank line between them. */
  blocks(nodes: Block[]): string;
  /** Blocks as a document of their own, with the notes in it. */
  document(nodes: Block[]): string;
  /** The same one a level deeper. */
  deeper(): BlockWriter;
}
