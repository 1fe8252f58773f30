import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

type Table = Database["saml_provider"];
export type Row = Selectable<Table>;

/** Selects the SAML providers of an organization. */
export const ofOrganization = ({ db }: Ctx, organization: string) =>
  db.selectFrom("saml_provider").selectAll().where("organization", "=", organization);

/** Finds a SAML provider of an organization. */
export const find = (ctx: Ctx, organization: string, id: string) =>
  ofOrganization(ctx, organization).where("id", "=", id).executeTakeFirst();

/** A provider of whichever organization, as a browser names it. */
export const findAny = ({ db }: Ctx, id: string) =>
  db.selectFrom("saml_provider").selectAll().where("id", "=", id).executeTakeFirst();

/** Inserts a SAML provider and returns its row. */
export const insert = ({ db }: Ctx, values: Insertable<Table>) =>
  db.insertInto("saml_provider").values(values).returningAll().executeTakeFirstOrThrow();

/** Changes columns of a SAML provider and returns its row. */
export const update = ({ db }: Ctx, id: string, set: Updateable<Table>) =>
  db
    .updateTable("saml_provider")
    .set({ ...set, updated_at: sql`now()` })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Deletes a SAML provider of an organization; returns undefined when there was none. */
export const remove = ({ db }: Ctx, organization: string, id: string) =>
  db
    .deleteFrom("saml_provider")
    .where("organization", "=", organization)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();

/** Finds a team of an organization. */
export const findTeam = ({ db }: Ctx, organization: string, id: string) =>
  db
    .selectFrom("team")
    .select(["id", "organization"])
    .where("organization", "=", organization)
    .where("id", "=", id)
    .executeTakeFirst();
