import {
  type Block,
  type InlineNode,
  isBlock,
  type JSONDocument,
  linesText,
} from "@octavo/markdown/document/nodes";
import { textIn } from "../data.js";

/** Code as a block holds it, and its language as its author calls it. */
export interface Code {
  text: string;
  syntax: string;
}

/** The code in a document, not counted what it includes. */
export function codeIn({ nodes }: JSONDocument): Code[] {
  const found: Code[] = [];
  const open: (Block | InlineNode)[] = [...nodes];
  for (let next = open.pop(); next; next = open.pop()) {
    if (!isBlock(next)) continue;
    if (next.type === "code")
      found.push({ text: linesText(next), syntax: textIn(next.data, "syntax") ?? "" });
    else for (const inner of next.nodes ?? []) open.push(inner);
    for (const fragment of next.fragments ?? []) for (const inner of fragment.nodes) open.push(inner);
  }
  return found;
}
