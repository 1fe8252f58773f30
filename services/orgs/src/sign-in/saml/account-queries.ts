import type { Insertable } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

/**
 * The person with the address, and in the organization: whether they are a member who is open for single sign-on
 * (`null` is no member), and the invite for it, if there is one.
 */
export const find = ({ db }: Ctx, organization: string, email: string) =>
  db
    .selectFrom("person")
    .leftJoin("member", (join) =>
      join.onRef("member.person", "=", "person.id").on("member.organization", "=", organization),
    )
    .leftJoin("invite", (join) =>
      join
        .onRef("invite.email", "=", "person.email")
        .on("invite.organization", "=", organization)
        .on("invite.sso", "=", true),
    )
    .select(["person.id", "person.display_name as name", "person.email_verified as confirmed"])
    .select(["member.sso", "member.disabled", "invite.id as invite"])
    .where("person.email", "=", email)
    .executeTakeFirst();

/** Undefined when somebody else made a person with the address in the meantime. */
export const insert = ({ db }: Ctx, values: Insertable<Database["person"]>) =>
  db
    .insertInto("person")
    .values(values)
    .onConflict((taken) => taken.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();

export const markMember = ({ db }: Ctx, organization: string, person: string) =>
  db
    .updateTable("member")
    .set({ sso: true })
    .where("organization", "=", organization)
    .where("person", "=", person)
    .execute();
