import { type Kysely, sql } from "kysely";
import { reindex } from "../search-index/reindex.js";

/** The search finds pages first, by lexemes that encode where on the page a word stands, and their sections afterwards. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await reindex(db);
}

const statements = [
  `create table search_page (
    space text not null references space (id) on delete cascade,
    page text not null,
    organization text not null,
    -- the words of the page at their places, and terms for its space and organization
    terms tsvector not null,
    primary key (space, page)
  )`,
  // What waits to be put into the index is read by every search, so little may wait.
  "create index search_page_terms on search_page using gin (terms) with (gin_pending_list_limit = 256)",
  // Only the sections of pages that were found are looked at. Copies of the service that run a while longer still name
  // the organization of a section.
  "drop index search_section_terms",
  "alter table search_section alter column organization set default ''",
  // Words that typing mistakes are corrected to; \`key\` is a part of the word, see search/spelling-keys.ts.
  `create table search_word (
    space text not null references space (id) on delete cascade,
    key text not null collate "C",
    word text not null collate "C",
    primary key (space, key, word)
  )`,
];
