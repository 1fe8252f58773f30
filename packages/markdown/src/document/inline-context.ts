import type { Block, Fragment } from "./nodes.js";
import type { Resolve } from "./refs.js";

/** What reading a line of text needs to know of the document. */
export interface InlineContext {
  resolve?: Resolve;
  /** The body of a footnote; undefined when it has none or when it is being read. */
  footnote(label: string): Fragment | undefined;
  /** The notes whose bodies stand in what was read. */
  notes?: unknown[];
  /** The blocks of markdown inside HTML. */
  blocks(markdown: string): Block[];
}
