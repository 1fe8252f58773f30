import { setImmediate as othersFirst } from "node:timers/promises";
import { highlightSome, isKnown } from "@octavo/html/code/highlight";
import { codeIn } from "@octavo/html/code/in-document";
import type { JSONDocument } from "@octavo/markdown/document/nodes";

/** Milliseconds after which others go first, and those that the code of one document may take in all. */
const [PAUSE, MOST] = [8, 120];

/**
 * Highlights the code of a document some at a time, so that drawing it takes no time, and others do not wait for all of
 * it. Returns false when a piece of code takes more than `atOnce` ms, or all of it too long.
 */
export async function highlightAhead(document: JSONDocument, atOnce: number): Promise<boolean> {
  let left = codeIn(document).filter((code) => !isKnown(code));
  let spent = 0;
  while (left.length > 0) {
    const began = performance.now();
    const rest = highlightSome(left, { pause: PAUSE, most: atOnce });
    spent += performance.now() - began;
    if (!rest || spent > MOST) return false;
    left = rest;
    await othersFirst();
  }
  return true;
}
