import { spellable } from "../lexemes/tokens.js";

/** Words that are remembered; a space may say far more. */
const MOST = 50_000;
/** Words that are handed out at a time. */
const HANDFUL = 2_000;

/** Gathers the words of pages that typing mistakes can be corrected to, each once as far as it remembers. */
export class Vocabulary {
  readonly #seen = new Set<string>();
  #open: string[] = [];

  /** Takes words for kept that are in the store already. */
  know(words: Iterable<string>): void {
    for (const word of words) this.#seen.add(word);
  }

  add(words: Iterable<string>): void {
    for (const word of words) {
      if (this.#seen.has(word)) continue;
      if (this.#seen.size >= MOST) this.#seen.clear();
      // A copy: a word that was cut from a text keeps the whole text in memory.
      const own = ` ${word}`.slice(1);
      this.#seen.add(own);
      if (spellable(own)) this.#open.push(own);
    }
  }

  /** The words that have come together: none while these are few, unless they are the last. */
  take({ last }: { last: boolean }): string[] {
    return last || this.#open.length >= HANDFUL ? this.#open.splice(0) : [];
  }
}
