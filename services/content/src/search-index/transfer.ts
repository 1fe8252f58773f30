import { sql } from "kysely";
import { organizationTerm, prefixOf, sampleTerm, spaceTerm } from "../lexemes/lexemes.js";
import type { Ctx } from "../trpc.js";
import { indexSoon } from "./pending.js";

/** Lets what the search finds of spaces follow them from one organization to another; returns how many pages these are. */
export async function moveSearch(
  { db }: Pick<Ctx, "db">,
  spaces: string[],
  organizations: { from: string; to: string },
): Promise<number> {
  const { from, to } = organizations;
  const old = prefixOf(from);
  const [term, sample] = [organizationTerm(from), sampleTerm(organizationTerm(from))];
  const lexemes = sql`select case
      when lexeme = ${term} then ${organizationTerm(to)}
      when lexeme = ${sample} then ${sampleTerm(organizationTerm(to))}
      when starts_with(lexeme, ${old}) then ${prefixOf(to)} || substr(lexeme, ${old.length + 1}::int)
      else lexeme end
    from unnest(tsvector_to_array(terms)) as lexeme`;
  const { numAffectedRows } =
    await sql`update search_page set organization = ${to}, terms = array_to_tsvector(array(${lexemes}))
    where space = any(${spaces})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** A copy has no editions: no site pins anything of it. */
const isPrimary = sql`strpos(page, '@') = 0`;

/** Lets the search find in a new space, of the same organization, what it finds in the one that it is a copy of. */
export async function copySearch({ db }: Pick<Ctx, "db">, from: string, to: string) {
  // First: what the index gets meanwhile is copied by one of both statements.
  const { numAffectedRows } = await sql`insert into search_pending (space, page)
    select ${to}, page from search_pending where space = ${from}`.execute(db);
  if (numAffectedRows) await indexSoon({ db }, to);
  const old = spaceTerm(from);
  const lexemes = sql`select case
      when starts_with(lexeme, ${old}) then ${spaceTerm(to)} || substr(lexeme, ${old.length + 1}::int)
      else lexeme end
    from unnest(tsvector_to_array(terms)) as lexeme`;
  await sql`insert into search_page (space, page, organization, terms)
    select ${to}, page, organization, array_to_tsvector(array(${lexemes})) from search_page
    where space = ${from} and ${isPrimary}`.execute(db);
  await sql`insert into search_section (space, page, ordinal, anchor, title, body, terms, digest)
    select ${to}, page, ordinal, anchor, title, body, terms, digest from search_section
    where space = ${from} and ${isPrimary}`.execute(db);
  await sql`insert into search_word (space, key, word)
    select ${to}, key, word from search_word where space = ${from}`.execute(db);
}
