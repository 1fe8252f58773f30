import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

type Table = Database["saml_provider"];
export type Row = Selectable<Table>;

export const ofOrganization = ({ db }: Ctx, organization: string) =>
  db.selectFrom("saml_provider").selectAll().where("organization", "=", organization);

export const find = (ctx: Ctx, organization: string, id: string) =>
  ofOrganization(ctx, organization).where("id", "=", id).executeTakeFirst();

/** A provider of whichever organization, as a browser names it. */
export const findAny = ({ db }: Ctx, id: string) =>
  db.selectFrom("saml_provider").selectAll().where("id", "=", id).executeTakeFirst();

export const insert = ({ db }: Ctx, values: Insertable<Table>) =>
  db.insertInto("saml_provider").values(values).returningAll().executeTakeFirstOrThrow();

export const update = ({ db }: Ctx, id: string, set: Updateable<Table>) =>
  db
    .updateTable("saml_provider")
    .set({ ...set, updated_at: sql`now()` })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

export const remove = ({ db }: Ctx, organization: string, id: string) =>
  db
    .deleteFrom("saml_provider")
    .where("organization", "=", organization)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();

export const findTeam = ({ db }: Ctx, organization: string, id: string) =>
  db
    .selectFrom("team")
    .select(["id", "organization"])
    .where("organization", "=", organization)
    .where("id", "=", id)
    .executeTakeFirst();
