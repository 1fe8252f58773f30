import type { Role } from "@octavo/shared/access";
import { type Insertable, type Selectable, sql } from "kysely";
import { isReachedFrom } from "../access.js";
import type { Database } from "../database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["token"];
export type Row = Omit<Selectable<Table>, "hash" | "saml_provider">;

/** What the token that is resolved reaches. */
const REACH = {
  boundTo: sql.ref<string | null>("token.organization"),
  trusted: sql<boolean>`(token.saml_provider is not null or person.organization is not null)`,
};
const COLUMNS = [
  "id",
  "person",
  "organization",
  "label",
  "scopes",
  "created_at",
  "last_used_at",
  "expires_at",
] as const;

/** A person's tokens: all of them, or those that are bound to an organization. */
export const ofPerson = ({ db }: Ctx, person: string, organization: string | null = null) =>
  db
    .selectFrom("token")
    .select(COLUMNS)
    .where("person", "=", person)
    .$if(organization !== null, (query) => query.where("organization", "=", organization));

export const find = (ctx: Ctx, person: string, id: string, organization: string | null = null) =>
  ofPerson(ctx, person, organization).where("id", "=", id).executeTakeFirst();

export const insert = ({ db }: Ctx, values: Insertable<Table>) =>
  db.insertInto("token").values(values).returning(COLUMNS).executeTakeFirstOrThrow();

export const remove = ({ db }: Ctx, person: string, id: string, organization: string | null = null) =>
  db
    .deleteFrom("token")
    .where("id", "=", id)
    .where("person", "=", person)
    .$if(organization !== null, (query) => query.where("organization", "=", organization))
    .returning("id")
    .executeTakeFirst();

export const withdraw = ({ db }: Ctx, id: string) =>
  db.deleteFrom("token").where("id", "=", id).returning("person").executeTakeFirst();

/** The identity provider that a token goes back to, and the organization that it is bound to, if there are any. */
export const origin = ({ db }: Ctx, id: string) =>
  db.selectFrom("token").select(["saml_provider", "organization"]).where("id", "=", id).executeTakeFirst();

export const holder = ({ db }: Ctx, hash: Buffer) =>
  db.selectFrom("token").select("person").where("hash", "=", hash).executeTakeFirst();

/** Everything about the person that a token stands for, if it has not expired; by the index of hashes. */
export const resolve = ({ db }: Ctx, hash: Buffer, now: string) =>
  db
    .selectFrom("token")
    .innerJoin("person", "person.id", "token.person")
    .select(["token.id as token", "token.scopes", "token.expires_at", "token.last_used_at"])
    .select(["person.id", "person.display_name", "person.email", "person.photo_url"])
    .select(({ selectFrom }) => [
      selectFrom("member")
        .innerJoin("organization", "organization.id", "member.organization")
        .select(
          sql<
            Record<string, Role | null>
          >`coalesce(jsonb_object_agg(member.organization, member.role), '{}')`.as("roles"),
        )
        .whereRef("member.person", "=", "person.id")
        .where("member.disabled", "=", false)
        .where(isReachedFrom(REACH))
        .$asScalar()
        .$notNull()
        .as("organizations"),
      selectFrom("team_member")
        .innerJoin("member", (join) =>
          join
            .onRef("member.organization", "=", "team_member.organization")
            .onRef("member.person", "=", "team_member.person"),
        )
        .innerJoin("organization", "organization.id", "member.organization")
        .select(
          sql<string[]>`coalesce(array_agg(team_member.team order by team_member.team), '{}')`.as("ids"),
        )
        .whereRef("team_member.person", "=", "person.id")
        .where("member.disabled", "=", false)
        .where(isReachedFrom(REACH))
        .$asScalar()
        .$notNull()
        .as("teams"),
    ])
    .where("token.hash", "=", hash)
    .where(({ eb, or }) => or([eb("token.expires_at", "is", null), eb("token.expires_at", ">", now)]))
    .executeTakeFirst();

/** Notes the use, unless another request has noted one since `before`. */
export const touch = ({ db }: Ctx, id: string, now: string, before: string) =>
  db
    .updateTable("token")
    .set({ last_used_at: now })
    .where("id", "=", id)
    .where(({ eb, or }) => or([eb("last_used_at", "is", null), eb("last_used_at", "<=", before)]))
    .execute();
