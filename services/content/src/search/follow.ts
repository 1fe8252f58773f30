import { sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { organizationTerm, spaceTerm } from "./index-pages.js";

/** Lets what the search finds of spaces follow them from one organization to another. */
export async function moveSearch(
  { db }: Pick<Ctx, "db">,
  spaces: string[],
  organizations: { from: string; to: string },
) {
  const { from, to } = organizations;
  await sql`update search_section set organization = ${to},
      terms = ts_delete(terms, ${organizationTerm(from)}) || array_to_tsvector(array[${organizationTerm(to)}])
    where space = any(${spaces})`.execute(db);
}

/** Lets the search find in a new space, of the same organization, what it finds in the one that it is a copy of. */
export async function copySearch({ db }: Pick<Ctx, "db">, from: string, to: string) {
  await sql`insert into search_section (space, page, ordinal, organization, anchor, title, body, terms)
    select ${to}, page, ordinal, organization, anchor, title, body,
      ts_delete(terms, ${spaceTerm(from)}) || array_to_tsvector(array[${spaceTerm(to)}])
    from search_section where space = ${from}`.execute(db);
}
