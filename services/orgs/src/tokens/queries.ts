import type { Role } from "@octavo/shared/access";
import { type Insertable, type Selectable, sql } from "kysely";
import { BOUND_TO, isReachedFrom } from "../access.js";
import type { Database } from "../database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["token"];
export type Row = Omit<Selectable<Table>, "hash" | "saml_provider" | "invite" | "made_by">;

/** What the token that is resolved reaches. */
const REACH = {
  boundTo: BOUND_TO,
  trusted: sql<boolean>`(token.saml_provider is not null or person.organization is not null)`,
};
const COLUMNS = [
  "id",
  "person",
  BOUND_TO.as("organization"),
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
    .$if(organization !== null, (query) => query.where(BOUND_TO, "=", organization));

export const find = (ctx: Ctx, person: string, id: string, organization: string | null = null) =>
  ofPerson(ctx, person, organization).where("id", "=", id).executeTakeFirst();

export const insert = ({ db }: Ctx, values: Insertable<Table>) =>
  db.insertInto("token").values(values).returning(COLUMNS).executeTakeFirstOrThrow();

export const remove = ({ db }: Ctx, person: string, id: string, organization: string | null = null) =>
  db
    .deleteFrom("token")
    .where("id", "=", id)
    .where("person", "=", person)
    .$if(organization !== null, (query) => query.where(BOUND_TO, "=", organization))
    .returning(["id", BOUND_TO.as("organization")])
    .executeTakeFirst();

export const withdrawInvited = ({ db }: Ctx, invite: string) =>
  db.deleteFrom("token").where("invite", "=", invite).returning(["id", "person"]).execute();

/** Ends the tokens with which a person reaches an organization. */
export const withdrawReaching = ({ db }: Ctx, person: string, organization: string) =>
  db
    .deleteFrom("token")
    .where("person", "=", person)
    .where(sql<boolean>`coalesce(${BOUND_TO}, ${organization}) = ${organization}`)
    .returning(["id", "person"])
    .execute();

/** Binds the tokens that waited with an invite; those that were to end with it end with the membership. */
export const bindInvited = ({ db }: Ctx, { id, organization, expires_at }: Waited) =>
  db
    .updateTable("token")
    .set({ invite: null, organization, expires_at: sql`nullif(expires_at, ${expires_at}::timestamptz)` })
    .where("invite", "=", id)
    .returning("id")
    .execute();

interface Waited {
  id: string;
  organization: string;
  expires_at: string | null;
}

/** Ends the tokens of others that an administrator of the organization made. */
export const withdrawMadeBy = ({ db }: Ctx, organization: string, maker: string) =>
  db
    .deleteFrom("token")
    .where("organization", "=", organization)
    .where("made_by", "=", maker)
    .returning(["id", "person"])
    .execute();

export const isServiceAccount = async ({ db }: Ctx, person: string): Promise<boolean> => {
  const query = db.selectFrom("person").select("id").where("id", "=", person);
  return (await query.where("organization", "is not", null).executeTakeFirst()) !== undefined;
};

/** What a token hands down to those made with it: where it comes from, what it is bound to and when it ends. */
export const origin = ({ db }: Ctx, id: string) =>
  db
    .selectFrom("token")
    .select(["saml_provider", "organization", "invite", "made_by", "expires_at"])
    .where("id", "=", id)
    .executeTakeFirst();

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
