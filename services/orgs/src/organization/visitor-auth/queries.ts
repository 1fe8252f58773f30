import { type Insertable, sql } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

/** Inserts a site or updates the organization and the visitor key that are stored of it. */
export const keep = ({ db }: Ctx, row: Insertable<Database["site"]>) =>
  db
    .insertInto("site")
    .values(row)
    .onConflict((known) =>
      known.column("id").doUpdateSet({ organization: row.organization, visitor_key: row.visitor_key }),
    )
    .execute();

/** Deletes what is stored of a site. */
export const drop = ({ db }: Ctx, site: string) => db.deleteFrom("site").where("id", "=", site).execute();

/** Takes a site from the organizations that name it as their default; returns which. */
export const unname = ({ db }: Ctx, site: string) =>
  db
    .updateTable("organization")
    .set({ default_site: null, updated_at: sql`now()` })
    .where("default_site", "=", site)
    .returning("id")
    .execute();

/** Whether the organization has the site; it keeps it until the transaction ends. */
export const has = async ({ db }: Ctx, organization: string, site: string): Promise<boolean> => {
  const query = db.selectFrom("site").select("id").where("id", "=", site);
  const row = await query.where("organization", "=", organization).forShare().executeTakeFirst();
  return row !== undefined;
};

/** What the default site of an organization receives about a person, when it authenticates its visitors. */
export const introduction = ({ db }: Ctx, organization: string, person: string) =>
  db
    .selectFrom("organization")
    .innerJoin("site", "site.id", "organization.default_site")
    .whereRef("site.organization", "=", "organization.id")
    .innerJoin("person", (on) => on.on("person.id", "=", person))
    .select(["site.id as site", "site.visitor_key", "display_name", "email", "email_verified"])
    .where("organization.id", "=", organization)
    .where("site.visitor_key", "is not", null)
    .$narrowType<{ visitor_key: string }>()
    .executeTakeFirst();
