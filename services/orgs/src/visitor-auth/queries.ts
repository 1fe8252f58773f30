import type { Insertable } from "kysely";
import type { Database } from "../database.js";
import type { Ctx } from "../trpc.js";

export const keep = ({ db }: Ctx, row: Insertable<Database["visitor_auth"]>) =>
  db
    .insertInto("visitor_auth")
    .values(row)
    .onConflict((known) =>
      known.column("site").doUpdateSet({ organization: row.organization, private_key: row.private_key }),
    )
    .execute();

export const drop = ({ db }: Ctx, site: string) =>
  db.deleteFrom("visitor_auth").where("site", "=", site).execute();

/** What the default site of an organization is to be told about a person, when it asks its visitors who they are. */
export const introduction = ({ db }: Ctx, organization: string, person: string) =>
  db
    .selectFrom("organization")
    .innerJoin("visitor_auth", "visitor_auth.site", "organization.default_site")
    // Any site can be named as the default one, also one of somebody else.
    .whereRef("visitor_auth.organization", "=", "organization.id")
    .innerJoin("person", (on) => on.on("person.id", "=", person))
    .select(["site", "private_key", "display_name", "email", "email_verified"])
    .where("organization.id", "=", organization)
    .executeTakeFirst();
