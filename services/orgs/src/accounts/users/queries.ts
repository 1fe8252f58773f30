import { anyOf } from "@octavo/shared/database/any-of";
import type { Insertable, Selectable } from "kysely";
import { isReachedWith } from "../../access/identity.js";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

type Table = Database["person"];
export type Row = Pick<Selectable<Table>, "id" | "display_name" | "email" | "photo_url">;

const all = ({ db }: Ctx) => db.selectFrom("person").select(["id", "display_name", "email", "photo_url"]);

/** Finds a person by id. */
export const find = (ctx: Ctx, id: string) => all(ctx).where("id", "=", id).executeTakeFirst();

/** Finds the person with an address (in lower case). */
export const findByEmail = (ctx: Ctx, email: string) =>
  all(ctx).where("email", "=", email).executeTakeFirst();

/** With whether an account needs a token to begin with: people of an identity provider get none that is their own. */
export const findInvited = ({ db }: Ctx, emails: string[]) =>
  db
    .selectFrom("person")
    .select(["id", "email"])
    .$narrowType<{ email: string }>()
    .select(({ exists, selectFrom, or, not, eb }) =>
      or([
        not(eb.ref("email_verified")),
        exists(
          selectFrom("member")
            .select("member.person")
            .whereRef("member.person", "=", "person.id")
            .where("member.sso", "=", true),
        ),
      ])
        .$castTo<boolean>()
        .as("tokenless"),
    )
    .where("email", "=", anyOf(emails))
    .execute();

/** Finds the address of a person and whether it is verified. */
export const findAccount = ({ db }: Ctx, id: string) =>
  db.selectFrom("person").select(["id", "email", "email_verified"]).where("id", "=", id).executeTakeFirst();

/** Returns the people of these ids, sorted by id; unknown ids are left out. */
export const findAll = (ctx: Ctx, ids: string[]) =>
  all(ctx)
    .where(({ eb, fn, val }) => eb("id", "=", fn.any(val(ids))))
    .orderBy("id")
    .execute();

/** Which of the people a person meets in an organization; a guest meets nobody. */
export async function metBy(ctx: Ctx, person: string, ids: string[]): Promise<Set<string>> {
  const token = ctx.caller.kind === "user" ? ctx.caller.token : "";
  const rows = await ctx.db
    .selectFrom("member")
    .innerJoin("organization", "organization.id", "member.organization")
    .innerJoin("member as other", "other.organization", "member.organization")
    .select("other.person")
    .distinct()
    .where("member.person", "=", person)
    .where("member.role", "is not", null)
    .where("member.disabled", "=", false)
    .where(isReachedWith(ctx, token))
    .where("other.person", "=", anyOf(ids))
    .execute();
  return new Set(rows.map((row) => row.person)).add(person);
}

/** Changes the name, the photo and the text by which members are searched. */
export const update = (
  { db }: Ctx,
  id: string,
  set: Pick<Row, "display_name" | "photo_url">,
  search: string,
) =>
  db
    .updateTable("person")
    .set({ ...set, search_text: search, updated_at: new Date().toISOString() })
    .where("id", "=", id)
    .execute();

/** Marks the address of a person as verified if it is still theirs; returns undefined otherwise. */
export const confirm = ({ db }: Ctx, id: string, email: string) =>
  db
    .updateTable("person")
    .set({ email_verified: true })
    .where("id", "=", id)
    .where("email", "=", email)
    .returning("id")
    .executeTakeFirst();

/** Leaves addresses alone that somebody else has by now. */
export const insertUnlessKnown = ({ db }: Ctx, values: Insertable<Table>[]) =>
  db
    .insertInto("person")
    .values(values)
    .onConflict((taken) => taken.constraint("person_email").doNothing())
    .execute();

/** Inserts a person and returns the row. */
export const insert = ({ db }: Ctx, values: Insertable<Table>) =>
  db
    .insertInto("person")
    .values(values)
    .returning(["id", "display_name", "email", "photo_url"])
    .executeTakeFirstOrThrow();
