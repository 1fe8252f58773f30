import type { Insertable } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

export const openRequest = ({ db }: Ctx, values: Insertable<Database["saml_request"]>) =>
  db.insertInto("saml_request").values(values).execute();

export const findRequest = ({ db }: Ctx, provider: string, id: string, now: string) =>
  db
    .selectFrom("saml_request")
    .select(["id", "relay_state", "return_to"])
    .where("id", "=", id)
    .where("provider", "=", provider)
    .where("expires_at", ">", now)
    .executeTakeFirst();

/** Ends a request; undefined when somebody else was faster. */
export const closeRequest = ({ db }: Ctx, id: string) =>
  db.deleteFrom("saml_request").where("id", "=", id).returning("id").executeTakeFirst();

/** Notes that an assertion was shown; undefined when it was before. */
export const noteAssertion = ({ db }: Ctx, values: Insertable<Database["saml_assertion"]>) =>
  db
    .insertInto("saml_assertion")
    .values(values)
    .onConflict((seen) => seen.doNothing())
    .returning("hash")
    .executeTakeFirst();

export const insertCode = ({ db }: Ctx, values: Insertable<Database["sso_code"]>) =>
  db.insertInto("sso_code").values(values).execute();

/** Takes a code, which then is gone, whether it was in time or not. */
export const takeCode = ({ db }: Ctx, hash: Buffer) =>
  db.deleteFrom("sso_code").where("hash", "=", hash).returningAll().executeTakeFirst();

/** Forgets what has run out. */
export async function prune({ db }: Ctx, now: string): Promise<void> {
  for (const table of ["saml_request", "saml_assertion", "sso_code"] as const)
    await db.deleteFrom(table).where("expires_at", "<=", now).execute();
}

export const nameOf = ({ db }: Ctx, person: string) =>
  db.selectFrom("person").select("display_name").where("id", "=", person).executeTakeFirstOrThrow();
