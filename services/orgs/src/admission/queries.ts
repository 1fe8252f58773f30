import { anyOf } from "@octavo/shared/database/any-of";
import type { Insertable, Selectable } from "kysely";
import type { Database } from "../db/database.js";
import type { Ctx } from "../trpc.js";

type Table = Database["invite"];
export type Row = Selectable<Table>;

/** Invites and links of an organization. */
export const inOrganization = ({ db }: Ctx, organization: string) =>
  db.selectFrom("invite").selectAll().where("organization", "=", organization);

/** What was made by somebody, invites to addresses and links. */
export const madeBy = (ctx: Ctx, organization: string, maker: string) =>
  inOrganization(ctx, organization).where("invited_by", "=", maker).forUpdate().execute();

/** The invites to the address of a person, and those whose tokens wait for them. */
export const pendingFor = (ctx: Ctx, organization: string, person: string) =>
  inOrganization(ctx, organization)
    .where("email", "is not", null)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb("email", "=", selectFrom("person").select("email").where("id", "=", person)),
        eb(
          "id",
          "in",
          selectFrom("token").select("invite").where("person", "=", person).where("invite", "is not", null),
        ),
      ]),
    )
    .forUpdate()
    .execute();

/** Makes a person a member. */
export const insertMember = ({ db }: Ctx, values: Insertable<Database["member"]>) =>
  db.insertInto("member").values(values).execute();

/** Deletes invites and links by id. */
export const remove = ({ db }: Ctx, ids: string[]) =>
  db.deleteFrom("invite").where("id", "=", anyOf(ids)).execute();
