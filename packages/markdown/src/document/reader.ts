import type { Token } from "markdown-it";
import type { Budget } from "../parser/bounds.js";
import type { Tag } from "../parser/tags.js";
import type { InlineContext } from "./inline-context.js";
import type { Note } from "./notes.js";
import { inlineNodes } from "./parse-inline.js";

/** Where reading stands among the tokens. */
export interface Reader extends InlineContext {
  tokens: Token[];
  at: number;
  budget: Budget;
  /** The labels of the definitions that a link uses. */
  used: Set<string>;
  /** The lines that the blocks at the top begin in, where that is asked for. */
  begins?: number[];
  /** The notes whose bodies stand in what was read. */
  notes: Note[];
  /** The conditions around, outermost first. */
  conditions: Tag[];
}

/** The nodes of the inline token that is next; the closing token is consumed. Those that were read otherwise are skipped. */
export function readInline(reader: Reader, close: string, skip = false) {
  const token = reader.tokens[reader.at]!;
  reader.at += token.type === "inline" ? 1 : 0;
  if (reader.tokens[reader.at]?.type === close) reader.at += 1;
  return token.type === "inline" && !skip ? inlineNodes(token.children ?? [], reader) : [];
}
