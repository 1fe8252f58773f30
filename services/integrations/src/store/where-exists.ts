import { arrayOf } from "@octavo/shared/database/any-of";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../trpc.js";

/** What belongs to an organization. */
export interface OfOrganization {
  organization: string;
}

/**
 * Returns for each item, in order, whether a subquery finds a row for its organization, which the subquery names
 * `asked.organization`; takes one statement for all of them.
 */
export async function whereExists(
  { db }: Ctx,
  items: OfOrganization[],
  subquery: RawBuilder<unknown>,
): Promise<boolean[]> {
  const organizations = [...new Set(items.map(({ organization }) => organization))];
  const { rows } = await sql<OfOrganization>`
    select asked.organization from unnest(${arrayOf(organizations)}) as asked (organization)
    where exists (${subquery})`.execute(db);
  const found = new Set(rows.map(({ organization }) => organization));
  return items.map(({ organization }) => found.has(organization));
}
