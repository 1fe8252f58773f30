import type { Role } from "@octavo/shared/contracts/roles";
import { anyOf } from "@octavo/shared/database/any-of";
import { type Insertable, type Selectable, sql } from "kysely";
import type { z } from "zod";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";
import type { List } from "./schema.js";

type Table = Database["member"];
/** A member with the person. */
export type Row = Selectable<Table> &
  Pick<Selectable<Database["person"]>, "display_name" | "email" | "photo_url">;

const inOrganization = ({ db }: Ctx, organization: string) =>
  db
    .selectFrom("member")
    .innerJoin("person", "person.id", "member.person")
    .selectAll("member")
    .select(["person.display_name", "person.email", "person.photo_url"])
    .where("member.organization", "=", organization);

/** Finds a member of an organization, with the person. */
export const find = (ctx: Ctx, organization: string, person: string) =>
  inOrganization(ctx, organization).where("member.person", "=", person).executeTakeFirst();

/** Selects the members that match the filters; sorted by `lastSeenAt`, only those who were ever seen. */
export const list = (ctx: Ctx, { organizationId, role, search, sort }: z.output<typeof List>) =>
  inOrganization(ctx, organizationId)
    .$if(role === "guest", (query) => query.where("member.role", "is", null))
    .$if(role !== undefined && role !== "guest", (query) => query.where("member.role", "=", role as Role))
    .$if(sort === "lastSeenAt", (query) => query.where("member.last_seen_at", "is not", null))
    .$if(Boolean(search), (query) =>
      query.where(sql<boolean>`strpos(person.search_text, ${search?.toLowerCase()}) > 0`),
    );

/** Selects the members who have a role, which guests have not. */
export const withRole = (ctx: Ctx, organization: string) =>
  inOrganization(ctx, organization).where("member.role", "is not", null);

/** Selects those of the people who are members of an organization. */
export const lookup = (ctx: Ctx, organization: string, people: string[]) =>
  inOrganization(ctx, organization).where("member.person", "=", anyOf(people));

/** How many teams of the organization each of the people is in; who is in none is not there. */
export async function teamsOf(
  { db }: Ctx,
  organization: string,
  people: string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("team_member")
    .select(["person", ({ fn }) => fn.countAll<number>().as("teams")])
    .where("organization", "=", organization)
    .where("person", "=", anyOf(people))
    .groupBy("person")
    .execute();
  return new Map(rows.map(({ person, teams }) => [person, teams]));
}

/** Another administrator than this person, who can act; a service account does not count. */
export const otherAdministrator = ({ db }: Ctx, organization: string, person: string) =>
  db
    .selectFrom("member")
    .innerJoin("person", "person.id", "member.person")
    .select("member.person")
    .where("member.organization", "=", organization)
    .where("member.role", "=", "admin")
    .where("member.disabled", "=", false)
    .where("member.person", "!=", person)
    .where("person.organization", "is", null)
    .limit(1)
    .executeTakeFirst();

/** Sets the role of a member; null for a guest. */
export const setRole = ({ db }: Ctx, organization: string, person: string, role: Role | null) =>
  db
    .updateTable("member")
    .set({ role })
    .where("organization", "=", organization)
    .where("person", "=", person)
    .execute();

/** Marks a member as trusted to sign in through the organization's identity provider. */
export const setSso = ({ db }: Ctx, organization: string, person: string) =>
  db
    .updateTable("member")
    .set({ sso: true })
    .where("organization", "=", organization)
    .where("person", "=", person)
    .execute();

/** Notes when a member was last seen; returns undefined when there is no such member. */
export const see = ({ db }: Ctx, organization: string, person: string, now: string) =>
  db
    .updateTable("member")
    .set({ last_seen_at: now })
    .where("organization", "=", organization)
    .where("person", "=", person)
    .returning("person")
    .executeTakeFirst();

/** Deletes a membership. */
export const remove = ({ db }: Ctx, organization: string, person: string) =>
  db.deleteFrom("member").where("organization", "=", organization).where("person", "=", person).execute();

/** Notes that somebody else took a person's membership or a part of their role. */
export const noteDeparture = ({ db }: Ctx, row: Insertable<Database["departure"]>) =>
  db
    .insertInto("departure")
    .values(row)
    .onConflict((known) => known.columns(["organization", "person"]).doUpdateSet({ at: row.at, by: row.by }))
    .execute();

/** Ends a person who belongs to the organization alone. */
export const removeServiceAccount = ({ db }: Ctx, organization: string, person: string) =>
  db.deleteFrom("person").where("id", "=", person).where("organization", "=", organization).execute();
