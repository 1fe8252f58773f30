import { type Cutter, cutDocument } from "@octavo/markdown/document/cut";
import type { JSONDocument } from "@octavo/markdown/document/nodes";
import { parseBlocks } from "@octavo/markdown/document/parse";
import type { Resolve } from "@octavo/markdown/document/refs";
import { newBudget } from "@octavo/markdown/parser/bounds";

/** The document without the comments in it, which are written for those who work on the text. */
export const withoutComments = (document: JSONDocument, resolve?: Resolve): JSONDocument =>
  cutDocument(document, new Comments(resolve));

/** Whether there may be comments in a text. */
export const hasComment = (text: string) => text.includes("<!--");

/**
 * Comments stand in what is kept verbatim, for want of a block of their own. What they stood in is read without them. One
 * that does not end there goes on in what follows.
 */
class Comments implements Cutter {
  #open = false;
  readonly #budget = newBudget();
  readonly #resolve: Resolve | undefined;

  constructor(resolve?: Resolve) {
    this.#resolve = resolve;
  }

  hides() {
    return this.#open;
  }

  text(text: string, kept: boolean): string {
    if (!kept && !this.#open) return text;
    let left = "";
    for (let at = 0; at < text.length; ) {
      const edge = text.indexOf(this.#open ? "-->" : "<!--", at);
      if (!this.#open) left += text.slice(at, edge < 0 ? text.length : edge);
      if (edge < 0) break;
      at = edge + (this.#open ? 3 : 4);
      this.#open = !this.#open && kept;
    }
    return left;
  }

  word(text: string, key: string): string {
    return key === "alt" || key === "caption" ? new Comments().text(text, true) : text;
  }

  /** What would have to be evaluated is for some visitors only. */
  rest(source: string) {
    return /\{%|expression/.test(source)
      ? []
      : parseBlocks(source, { budget: this.#budget, ...(this.#resolve && { resolve: this.#resolve }) });
  }
}
