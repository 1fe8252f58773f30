import type { Role } from "@octavo/shared/contracts/roles";
import { anyOf } from "@octavo/shared/database/any-of";
import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import { BOUND_TO, isAlive, isReachedFrom } from "../../access/identity.js";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

type Table = Database["token"];
export type Row = Omit<Selectable<Table>, "hash" | "saml_provider" | "invite" | "made_by" | "made_with">;

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

/** Finds one token of a person, bound to the organization when one is given. */
export const find = (ctx: Ctx, person: string, id: string, organization: string | null = null) =>
  ofPerson(ctx, person, organization).where("id", "=", id).executeTakeFirst();

/** Inserts a token and returns its row, without the hash. */
export const insert = ({ db }: Ctx, values: Insertable<Table>) =>
  db.insertInto("token").values(values).returning(COLUMNS).executeTakeFirstOrThrow();

/** The tokens of a condition and all that were made with them, locked: nothing more is made with any of them. */
async function lockDescendants(
  { db }: Ctx,
  roots: RawBuilder<boolean>,
): Promise<Pick<Row, "id" | "person">[]> {
  let known = -1;
  for (;;) {
    // Who made a token with one of these before it was locked has committed by now, and is seen the next time.
    const { rows } = await sql<Pick<Row, "id" | "person">>`
      with recursive line as (
        select token.id from token where ${roots}
        union select token.id from token join line on token.made_with = line.id)
      select token.id, token.person from token where token.id in (select line.id from line)
      order by token.id for update`.execute(db);
    if (rows.length <= known) return rows;
    known = rows.length;
  }
}

/** Ends the tokens of a condition and all that were made with them; returns which. */
async function end(ctx: Ctx, roots: RawBuilder<boolean>) {
  const ended = await lockDescendants(ctx, roots);
  if (ended.length > 0) {
    const ids = ended.map(({ id }) => id);
    await ctx.db.deleteFrom("token").where("id", "=", anyOf(ids)).execute();
  }
  return ended;
}

/** Ends a token and all that were made with it; returns those that ended. */
export const remove = (ctx: Ctx, id: string) => end(ctx, sql`token.id = ${id}`);

/** Puts a token that descends from another of the same person in the place of that one. */
export async function succeed(ctx: Ctx, id: string, predecessor: string): Promise<void> {
  const line = await lockDescendants(ctx, sql`token.id = ${predecessor}`);
  const [own, other] = [id, predecessor].map((one) => line.find((token) => token.id === one));
  if (!own || own === other || own.person !== other?.person) return;
  const made_with = ctx.db.selectFrom("token").select("made_with").where("id", "=", predecessor);
  await ctx.db.updateTable("token").set({ made_with }).where("id", "=", id).execute();
}

/** Inserts tokens for several people. */
export const insertAll = ({ db }: Ctx, values: Insertable<Table>[]) =>
  db.insertInto("token").values(values).execute();

/** Ends the tokens that came with invites, and all that were made with them; returns those that ended. */
export const revokeInvited = (ctx: Ctx, invites: string[]) =>
  end(ctx, sql`token.invite = any(${invites}::text[])`);

/** Ends the tokens with which a person reaches an organization. */
export const revokeReaching = (ctx: Ctx, person: string, organization: string) =>
  end(ctx, sql`token.person = ${person} and coalesce(${BOUND_TO}, ${organization}) = ${organization}`);

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
export const revokeMadeBy = (ctx: Ctx, organization: string, maker: string) =>
  end(ctx, sql`token.organization = ${organization} and token.made_by = ${maker}`);

/** Ends all that hangs on a membership: the tokens bound to it as well. */
export const revokeMember = (ctx: Ctx, organization: string, member: string) =>
  end(
    ctx,
    sql`token.organization = ${organization} and (token.made_by = ${member} or token.person = ${member})`,
  );

/** Returns whether a person is a service account, which belongs to one organization. */
export const isServiceAccount = async ({ db }: Ctx, person: string): Promise<boolean> => {
  const query = db.selectFrom("person").select("id").where("id", "=", person);
  return (await query.where("organization", "is not", null).executeTakeFirst()) !== undefined;
};

/** What a token hands down to those made with it: where it comes from, what it is bound to and when it ends. */
export const origin = ({ db, clock }: Ctx, id: string) =>
  db
    .selectFrom("token")
    .select(["saml_provider", "organization", "invite", "made_by", "expires_at", "id as made_with"])
    .where("id", "=", id)
    .where(isAlive(clock()))
    .executeTakeFirst();

/** Finds the person whose token has a hash, whether or not it has expired. */
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
