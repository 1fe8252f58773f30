// A condition or an expression can stand where nothing is parsed: in HTML of another form, in a line of text, without
// its end, or beyond what is read of a long page. Its audience is unknown then, so it is shown to nobody.

const IN_WORDS = /\{%-?\s*(end)?if\b(?:[ \t]*-?%\})?/gi;
const EXPRESSION = String.raw`|<code\s[^<>]*>|</code>`;
const IN_MARKUP = new RegExp(IN_WORDS.source + EXPRESSION, "gi");
const IN_KEPT = new RegExp(String.raw`${IN_MARKUP.source}|<!--[\s\S]*?(?:-->|$)|<[a-z][^<>]*>`, "gi");
/** Not escaped: there is an even number of backslashes before it. */
const CONDITION = /(?<!\\)(?:\\\\)*\{%-?\s*if\b/i;

/** Whether the markdown of a text says anything that is for some visitors only, read or unread. */
export const hasConditions = (markdown: string): boolean =>
  hasConditionTag(markdown) || mayHaveExpression(markdown);

/** Plain `<code>` has no class; most texts that hold the word have no expression. */
function mayHaveExpression(markdown: string): boolean {
  const at = markdown.includes("expression") ? markdown.search(/<code(?!>)/i) : -1;
  return at >= 0 && markdown.includes("expression", at);
}

/** Whether a condition begins in the markdown of a text. */
export const hasConditionTag = (markdown: string): boolean => CONDITION.test(markdown);

/** What conditions and expressions hide that were not parsed: from their beginning to their end, or to that of the text. */
export class Unread {
  cuts = 0;
  spansBlocks = false;
  #depth = 0;
  #expression = false;
  readonly #inWords: boolean;
  readonly notes: boolean;

  constructor(inWords: boolean, notes = true) {
    this.#inWords = inWords;
    this.notes = notes;
  }

  spans() {
    this.spansBlocks = true;
  }

  hides(): boolean {
    return this.#depth > 0 || this.#expression;
  }

  text(text: string, kept: boolean): string {
    if (kept || this.#inWords) return this.#read(text, kept ? IN_KEPT : IN_WORDS);
    return this.#read(text);
  }

  #read(text: string, edges?: RegExp): string {
    const left: string[] = [];
    let from = 0;
    for (const { 0: edge, 1: end, index } of edges ? text.matchAll(edges) : []) {
      const hidden = this.hides();
      let markup = "";
      if (edge.startsWith("{")) this.#depth = Math.max(0, this.#depth + (end ? -1 : 1));
      else if (/^<(?:code\s|\/code>)/i.test(edge))
        this.#expression = edge[1] !== "/" && (this.#expression || edge.includes("expression"));
      else markup = this.#within(edge);
      if (!hidden && (markup || this.hides())) left.push(text.slice(from, index), markup);
      if (markup || (hidden && !this.hides())) from = index + edge.length;
    }
    if (!this.hides()) left.push(text.slice(from));
    const rest = left.join("");
    if (rest !== text) this.cuts += 1;
    return rest;
  }

  /** A comment or the tag of an element: what began before does not end in it. */
  #within(markup: string): string {
    const own = new Unread(false);
    const left = own.#read(markup, IN_MARKUP);
    this.#depth += own.#depth;
    this.#expression ||= own.#expression;
    return left;
  }

  word(text: string, key: string): string {
    if (key === "expression") return text;
    const own = new Unread(this.#inWords);
    const left = own.text(text, false);
    this.cuts += own.cuts;
    return left;
  }
}

/** Whether a source that nobody parses hides what stands behind it. */
export function hidesBehind(source: string): boolean {
  const unread = new Unread(true);
  unread.text(source, true);
  return unread.hides();
}

/** Words that nobody parses, like a title, without what stands in conditions and expressions. */
export const withoutHidden = (words: string): string =>
  hasConditions(words) ? new Unread(true).text(words, true).trim() : words;
