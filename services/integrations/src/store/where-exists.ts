import { arrayOf } from "@octavo/shared/database/any-of";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../trpc.js";

/** Something that belongs to an organization. */
export interface OfOrganization {
  organization: string;
}

/** Says of each of some things whether `row`, a query of what `asked.organization` has, finds a row; takes one statement. */
export async function whereExists(
  { db }: Ctx,
  of: OfOrganization[],
  row: RawBuilder<unknown>,
): Promise<boolean[]> {
  const organizations = [...new Set(of.map(({ organization }) => organization))];
  const { rows } = await sql<OfOrganization>`
    select asked.organization from unnest(${arrayOf(organizations)}) as asked (organization)
    where exists (${row})`.execute(db);
  const found = new Set(rows.map(({ organization }) => organization));
  return of.map(({ organization }) => found.has(organization));
}
