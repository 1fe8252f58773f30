import type { Section } from "@octavo/markdown/source/sections";
import { post } from "@octavo/shared/database/posted";
import { yielding } from "@octavo/shared/workers/yield";
import { sql } from "kysely";
import { batchesOf, inBatches, type Many, slicesOf } from "../store/batches.js";
import { bodiesOf, sizesOf } from "../store/bodies.js";
import type { Entry, PageEntry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { keyInEdition } from "./editions.js";
import { fold } from "./fold.js";
import {
  isInSample,
  OCCURRENCES,
  type Occurrence,
  organizationTerm,
  prefixOf,
  sampleTerm,
  spaceTerm,
} from "./lexemes.js";
import { piecesOf } from "./pieces.js";
import { keepWords } from "./spelling-words.js";
import { type Token, titleOf, tokensOf } from "./tokens.js";
import { Vocabulary } from "./vocabulary.js";
import { allowPendingEntries } from "./waiting.js";

type Columns = "id" | "kind" | "title" | "slug" | "body" | "git_path" | "props";
/** What is read of a page that the search shall find. */
export type Indexed = Pick<PageEntry, Columns>;
type Put = Indexed | Pick<Exclude<Entry, PageEntry>, Columns>;

interface Changed {
  space: string;
  organization: string;
  put: Many<Put>;
  remove: Many<string>;
  /** The revision at which the pages were read, where that is not the primary content. */
  edition?: string;
}

/** What the search keeps of one page. */
interface PageIndex {
  page: string;
  lexemes: string[];
  words: Iterable<string>;
  sections: {
    page: string;
    ordinal: number;
    anchor: string | null;
    title: string;
    body: string;
    terms: string;
  }[];
}

/** From so many pages on it costs more to find out which words are new than to keep them all again. */
const FEW = 20;
/** Pages that are taken out of the index at a time. */
const BATCH = 500;
/** From so many pages on it pays to put the words of many into the index at once. */
const MANY = 100;
/** Bytes of lexemes that a page is found by: a tsvector holds less than 1 MB. */
const MAX_LEXEMES = 600_000;
/** Characters of sections that one statement takes: more are made into JSON, and sent, with turns for others in between. */
const SLICE = 1_000_000;
/** Words between a heading, its text and the names of a page, so that no phrase goes from one into the other. */
const GAP = 10;

/**
 * Keeps what the search finds in step with the primary content, in the transaction that changes it. Costs the pages that
 * changed. With an edition, these pages are found in that alone, and nothing else changes.
 */
export async function indexPages(
  ctx: Pick<Ctx, "db" | "work">,
  { space, organization, put, remove, edition }: Changed,
): Promise<void> {
  const prefix = prefixOf(organization);
  const known: string[] = [];
  const own = (page: string) => (edition === undefined ? page : keyInEdition(page, edition));
  const scope =
    edition === undefined ? [spaceTerm(space), organizationTerm(organization)] : [spaceTerm(edition)];
  for await (const batch of batchesOf(idsOf(put, remove), BATCH))
    known.push(...(await forget(ctx, space, batch.map(own), prefix)));
  const vocabulary = new Vocabulary(known);
  const giveWay = yielding();
  let asked = 0;
  await inBatches(shownOf(put), {
    sizes: (pages) =>
      sizesOf(
        ctx,
        space,
        pages.map(({ body }) => body),
      ),
    read: async (batch) => {
      asked += batch.length;
      if (asked > MANY && asked - batch.length <= MANY) await allowPendingEntries(ctx);
      return bodiesOf(
        ctx,
        space,
        batch.flatMap(({ body }) => body ?? []),
      );
    },
    write: async (batch, texts) => {
      const rows: PageIndex[] = [];
      for (const page of batch) {
        const text = (page.body && texts.get(page.body)) || "";
        const key = own(page.id);
        rows.push(await indexOf(page, await ctx.work.run("sections", text), { key, prefix, giveWay }));
      }
      for (const { words } of rows) vocabulary.add(words);
      const words = vocabulary.take({ last: false });
      await insert(ctx, { space, organization, scope }, rows);
      await keepWords(ctx, space, words);
    },
  });
  await keepWords(ctx, space, vocabulary.take({ last: true }));
}

async function* idsOf(put: Many<Put>, remove: Many<string>): AsyncGenerator<string> {
  yield* remove;
  for await (const { id } of put) yield id;
}

/** What the search shall find: pages that have a text of their own and are not kept from it. */
async function* shownOf(put: Many<Put>): AsyncGenerator<Indexed> {
  for await (const entry of put) {
    if (entry.kind === "page" && entry.props.type !== "link" && !entry.props.noIndex) yield entry;
  }
}

/** Takes pages out of the index, and returns the words that they had: these are known. */
async function forget(
  { db }: Pick<Ctx, "db">,
  space: string,
  pages: string[],
  prefix: string,
): Promise<string[]> {
  if (pages.length === 0) return [];
  await post(db, sql`delete from search_section where space = ${space} and page = any(${pages})`);
  const { rows } = await sql<{ lexemes: string[] | null }>`delete from search_page
    where space = ${space} and page = any(${pages})
    returning case when ${pages.length <= FEW} then tsvector_to_array(terms) end as lexemes`.execute(db);
  return rows.flatMap(({ lexemes }) => (lexemes ?? []).map((lexeme) => lexeme.slice(prefix.length)));
}

async function indexOf(
  page: Indexed,
  parts: Section[],
  { key, prefix, giveWay }: { key: string; prefix: string; giveWay: ReturnType<typeof yielding> },
): Promise<PageIndex> {
  const { description = "" } = page.props;
  const [first, ...others] = parts as [Section, ...Section[]];
  // The table of contents may call the page something else than its own heading does.
  const heading = fold(first.title) === fold(page.title) ? "" : first.title;
  const intro = [description, heading, first.text].filter((part) => part !== "").join("\n");
  const lexemes = new Lexemes(prefix);
  lexemes.add("title", titleOf(fold(page.title)));
  const names = tokensOf(namesOf(page));
  for (const { text } of names) lexemes.add("anywhere", text);
  const rows: PageIndex["sections"] = [];
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
      rows.push({ page: key, ordinal: rows.length, anchor, title, body, terms });
    }
  }
  return { page: key, lexemes: lexemes.list, words: lexemes.words, sections: rows };
}

/** File names that stand for their folder. */
const FOLDER_PAGE = /^(?:readme|index)\.[a-z]+$/i;

/** What a page is called besides its title: the last part of its path, and its file. */
function namesOf({ slug, git_path }: Indexed): string {
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

  get words(): Iterable<string> {
    return this.#texts.anywhere;
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

/** Where pages are found: by which terms of a scope. */
interface Within {
  space: string;
  organization: string;
  scope: string[];
}

async function insert({ db }: Pick<Ctx, "db">, { space, organization, scope }: Within, rows: PageIndex[]) {
  if (rows.length === 0) return;
  const pages = rows.map(({ page, lexemes }) => ({
    page,
    lexemes: isInSample(page) ? [...lexemes, ...scope.map(sampleTerm)] : lexemes,
  }));
  await post(
    db,
    sql`insert into search_page (space, page, organization, terms)
    select ${space}, r.page, ${organization}, array_to_tsvector(r.lexemes || ${scope}::text[])
    from jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) as r (page text, lexemes text[])`,
  );
  const sections = rows.flatMap(({ sections }) => sections);
  for (const slice of slicesOf(sections, ({ body, terms }) => body.length + terms.length, SLICE)) {
    await post(
      db,
      sql`insert into search_section (space, page, ordinal, anchor, title, body, terms)
      select ${space}, r.page, r.ordinal, r.anchor, r.title, r.body, r.terms::tsvector
      from jsonb_to_recordset(${JSON.stringify(slice)}::jsonb)
        as r (page text, ordinal int, anchor text, title text, body text, terms text)`,
    );
  }
}
