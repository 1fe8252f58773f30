import { type Section, sections } from "@octavo/markdown/sections";
import { sql } from "kysely";
import type { PageProps } from "../content/view.js";
import { bodiesOf } from "../store/bodies.js";
import type { Entry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { inBatches } from "./batches.js";
import { fold } from "./fold.js";
import { organizationTerm, PLACES, prefixOf, quoted, spaceTerm } from "./lexemes.js";
import { piecesOf } from "./pieces.js";
import { titleOf } from "./query.js";
import { keepWords } from "./spelling.js";
import { spellable, type Token, tokensOf } from "./tokens.js";

type Indexed = Pick<Entry, "id" | "kind" | "title" | "body" | "props">;

interface Changed {
  space: string;
  organization: string;
  put: Indexed[];
  remove: string[];
}

/** What the search keeps of one page. */
interface PageIndex {
  page: string;
  lexemes: string[];
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
/** Bytes of lexemes that a page is found by: a tsvector holds less than 1 MB. */
const MAX_LEXEMES = 600_000;
/** Words between a heading and its text, so that no phrase goes from one into the other. */
const GAP = 10;

/** Keeps what the search finds in step with the primary content, in the transaction that changes it. Costs the pages that changed. */
export async function indexPages(
  ctx: Pick<Ctx, "db">,
  { space, organization, put, remove }: Changed,
): Promise<void> {
  const pages = put.filter(
    ({ kind, props }) => kind === "page" && (props as unknown as PageProps).type !== "link",
  );
  const known = await forget(ctx, space, [...remove, ...pages.map(({ id }) => id)]);
  const shown = pages.filter(({ props }) => !(props as unknown as PageProps).noIndex);
  const prefix = prefixOf(organization);
  const words = new Set<string>();
  await inBatches(shown, {
    read: (batch) =>
      bodiesOf(
        ctx,
        space,
        batch.flatMap(({ body }) => body ?? []),
      ),
    write: (batch, texts) => {
      const rows = batch.map((page) => indexOf(page, page.body ? (texts.get(page.body) ?? "") : "", prefix));
      for (const { lexemes } of rows)
        for (const lexeme of lexemes) {
          const word = lexeme.slice(prefix.length);
          if (!known.has(lexeme) && spellable(word) && !/^[=!#]/.test(word)) words.add(word);
        }
      return insert(ctx, space, organization, rows);
    },
  });
  await keepWords(ctx, space, words);
}

/** Takes pages out of the index, and answers the lexemes that they had: their words are known. */
async function forget({ db }: Pick<Ctx, "db">, space: string, pages: string[]): Promise<Set<string>> {
  if (pages.length === 0) return new Set();
  await sql`delete from search_section where space = ${space} and page = any(${pages})`.execute(db);
  const { rows } = await sql<{ lexemes: string[] | null }>`delete from search_page
    where space = ${space} and page = any(${pages})
    returning case when ${pages.length <= FEW} then tsvector_to_array(terms) end as lexemes`.execute(db);
  return new Set(rows.flatMap(({ lexemes }) => lexemes ?? []));
}

function indexOf(page: Indexed, text: string, prefix: string): PageIndex {
  const { description = "" } = page.props as unknown as PageProps;
  const [first, ...others] = sections(text) as [Section, ...Section[]];
  // The table of contents may call the page something else than its own heading does.
  const heading = fold(first.title) === fold(page.title) ? "" : first.title;
  const intro = [description, heading, first.text].filter((part) => part !== "").join("\n");
  const lexemes = new Lexemes(prefix);
  lexemes.add("title", titleOf(fold(page.title)));
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
      const tokens = tokensOf(body);
      for (const { text } of tokens) lexemes.add("anywhere", text);
      const terms = vector(piece === 0 ? head : [], index === 0 ? "A" : "B", tokens);
      rows.push({ page: page.id, ordinal: rows.length, anchor, title, body, terms });
    }
  }
  return { page: page.id, lexemes: lexemes.list, sections: rows };
}

/** The lexemes of one page, each once, in the order in which they came, as many as it may have. */
class Lexemes {
  readonly #prefix: string;
  readonly #seen = new Set<string>();
  #left = MAX_LEXEMES;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  add(place: keyof typeof PLACES, text: string) {
    const lexeme = this.#prefix + PLACES[place] + text;
    if (this.#left <= 0 || this.#seen.has(lexeme)) return;
    this.#seen.add(lexeme);
    // Letters take three bytes at most, and PostgreSQL some more for each lexeme.
    this.#left -= lexeme.length * 3 + 8;
  }

  get list() {
    return [...this.#seen];
  }
}

/** The words of a section with their positions, as a tsvector literal. */
function vector(head: Token[], weight: "A" | "B", body: Token[]): string {
  const positions = new Map<string, string[]>();
  const put = (text: string, position: string) => {
    const known = positions.get(text);
    if (known) known.push(position);
    else positions.set(text, [position]);
  };
  const start = head.length === 0 ? 0 : head.at(-1)!.at + GAP;
  for (const { text, at } of head) put(text, `${at}${weight}`);
  for (const { text, at } of body) put(text, `${at + start}`);
  return [...positions].map(([text, at]) => `${quoted(text)}:${at.join(",")}`).join(" ");
}

async function insert({ db }: Pick<Ctx, "db">, space: string, organization: string, rows: PageIndex[]) {
  if (rows.length === 0) return;
  const scope = [spaceTerm(space), organizationTerm(organization)];
  const pages = rows.map(({ page, lexemes }) => ({ page, lexemes }));
  await sql`insert into search_page (space, page, organization, terms)
    select ${space}, r.page, ${organization}, array_to_tsvector(r.lexemes || ${scope}::text[])
    from jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) as r (page text, lexemes text[])`.execute(db);
  await sql`insert into search_section (space, page, ordinal, anchor, title, body, terms)
    select ${space}, r.page, r.ordinal, r.anchor, r.title, r.body, r.terms::tsvector
    from jsonb_to_recordset(${JSON.stringify(rows.flatMap(({ sections }) => sections))}::jsonb)
      as r (page text, ordinal int, anchor text, title text, body text, terms text)`.execute(db);
}
