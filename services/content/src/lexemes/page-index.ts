import { createHash } from "node:crypto";
import { type Section, sections } from "@octavo/markdown/source/sections";
import { yielding } from "@octavo/shared/workers/yield";
import { fold } from "./fold.js";
import { OCCURRENCES, type Occurrence } from "./lexemes.js";
import { piecesOf } from "./pieces.js";
import { type Token, titleOf, tokensOf } from "./tokens.js";

/** What is said of a page besides its text that the search finds it by. */
export interface PageNames {
  title: string;
  slug: string | null;
  git_path: string | null;
  props: { description?: string };
}

/** What the search keeps of one page. */
export interface PageIndex {
  page: string;
  lexemes: string[];
  words: string[];
  /**
   * Its sections but those that are kept as they are, as entries of JSON, some in each text: rows of `search_section` without
   * what all have in common.
   */
  sections: string[];
  /** How many sections there are in all. */
  count: number;
}

/** The digests of the sections that are kept of a page, by their ordinals; null of one that an earlier release kept. */
export type Digests = (string | null)[];

/** A page, its text, and by what its index is known: its key, and what the lexemes of the organization begin with. */
export interface ToIndex {
  page: PageNames;
  text: string;
  key: string;
  prefix: string;
  /** What is kept of the page already. */
  kept?: Digests;
}

/** Bytes of lexemes that a page is found by: a tsvector holds less than 1 MB. */
const MAX_LEXEMES = 600_000;
/** Words between a heading, its text and the names of a page, so that no phrase goes from one into the other. */
const GAP = 10;
/** Characters from which on entries of JSON make a text. */
const ENTRIES = 250_000;

/** What the search keeps of a page. Gives way to others after each piece of its text. */
export async function indexOf({ page, text, key, prefix, kept = [] }: ToIndex): Promise<PageIndex> {
  const { description = "" } = page.props;
  const [first, ...others] = sections(text) as [Section, ...Section[]];
  // The table of contents may call the page something else than its own heading does.
  const heading = fold(first.title) === fold(page.title) ? "" : first.title;
  const intro = [description, heading, first.text].filter((part) => part !== "").join("\n");
  const lexemes = new Lexemes(prefix);
  lexemes.add("title", titleOf(fold(page.title)));
  const names = tokensOf(namesOf(page));
  for (const { text } of names) lexemes.add("anywhere", text);
  const entries = new Entries(key, kept);
  const giveWay = yielding();
  for (const [index, section] of [{ title: page.title, text: intro }, ...others].entries()) {
    const { anchor = null, title } = section as Section;
    const head = tokensOf(title);
    for (const { text } of head) {
      if (index === 0) lexemes.add("inTitle", text);
      lexemes.add("inHeadings", text);
      lexemes.add("anywhere", text);
    }
    for (const [piece, body] of piecesOf(section.text).entries()) {
      await giveWay();
      const tokens = tokensOf(body);
      for (const { text } of tokens) lexemes.add("anywhere", text);
      const parts = [piece === 0 ? head : [], tokens, index === 0 && piece === 0 ? names : []];
      const terms = vector(parts, index === 0 ? "A" : "B");
      entries.add({ anchor, title, body, terms });
    }
  }
  const { texts, count } = entries;
  return { page: key, lexemes: lexemes.list, words: lexemes.words, sections: texts, count };
}

/** Gathers the entries of a page that are not kept as they are, as JSON, in texts that are long and few. */
class Entries {
  count = 0;
  readonly #page: string;
  readonly #kept: Digests;
  readonly #texts: string[] = [];
  #open: string[] = [];
  #length = 0;

  constructor(page: string, kept: Digests) {
    this.#page = page;
    this.#kept = kept;
  }

  add(entry: object) {
    const ordinal = this.count++;
    const json = JSON.stringify(entry);
    const digest = createHash("sha256").update(json).digest("base64url").slice(0, 22);
    if (this.#kept[ordinal] === digest) return;
    this.#open.push(`${JSON.stringify({ page: this.#page, ordinal, digest }).slice(0, -1)},${json.slice(1)}`);
    this.#length += json.length;
    if (this.#length >= ENTRIES) this.#close();
  }

  get texts(): string[] {
    if (this.#open.length > 0) this.#close();
    return this.#texts;
  }

  #close() {
    this.#texts.push(this.#open.join(","));
    this.#open = [];
    this.#length = 0;
  }
}

/** File names that stand for their folder. */
const FOLDER_PAGE = /^(?:readme|index)\.[a-z]+$/i;

/** What a page is called besides its title: the last part of its path, and its file. */
function namesOf({ slug, git_path }: PageNames): string {
  const file = git_path?.split("/").at(-1) ?? "";
  return [slug ?? "", FOLDER_PAGE.test(file) ? "" : file].join("\n");
}

/** The lexemes of one page, each once, as many as it may have. */
class Lexemes {
  readonly #prefix: string;
  readonly #texts: Record<Occurrence, Set<string>> = {
    title: new Set(),
    inTitle: new Set(),
    inHeadings: new Set(),
    anywhere: new Set(),
  };
  #left = MAX_LEXEMES;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  add(place: Occurrence, text: string) {
    const texts = this.#texts[place];
    if (this.#left <= 0 || texts.has(text)) return;
    texts.add(text);
    // Letters take three bytes at most, and PostgreSQL some more for each lexeme.
    this.#left -= (this.#prefix.length + OCCURRENCES[place].length + text.length) * 3 + 8;
  }

  get words(): string[] {
    return [...this.#texts.anywhere];
  }

  get list(): string[] {
    const list: string[] = [];
    for (const [place, texts] of Object.entries(this.#texts)) {
      const start = this.#prefix + OCCURRENCES[place as Occurrence];
      for (const text of texts) list.push(start + text);
    }
    return list;
  }
}

/**
 * The words of a section with their positions, as a tsvector literal: those of its heading with a weight, and others
 * behind them, each part at a distance. Words hold nothing that would have to be escaped.
 */
function vector([head, ...others]: Token[][], weight: "A" | "B"): string {
  const positions = new Map<string, string>();
  const put = (text: string, position: string | number) => {
    const known = positions.get(text);
    positions.set(text, known === undefined ? `'${text}':${position}` : `${known},${position}`);
  };
  for (const { text, at } of head!) put(text, at + weight);
  let start = endOf(head!);
  for (const part of others) {
    for (const { text, at } of part) put(text, at + start);
    start += endOf(part);
  }
  return [...positions.values()].join(" ");
}

/** Where the words after a part begin. */
const endOf = (part: Token[]) => (part.length === 0 ? 0 : part.at(-1)!.at + GAP);
