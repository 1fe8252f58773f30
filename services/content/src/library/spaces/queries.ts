import { prepare } from "@octavo/shared/database/prepare";
import { type RawBuilder, sql, type Updateable } from "kysely";
import { live, none } from "../../access/spaces.js";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

/** What decides on access is left to the filter that the condition is from. */
export const inOrganization = (ctx: Ctx, organization: string, readable: RawBuilder<boolean>) =>
  live(ctx, none).where("organization", "=", organization).where(readable);

/** Selects the readable spaces that lie directly in a collection. */
export const inCollection = (ctx: Ctx, organization: string, parent: string, readable: RawBuilder<boolean>) =>
  inOrganization(ctx, organization, readable).where("parent", "=", parent);

export interface Head {
  id: string;
  organization: string;
  revision: string;
}

const headsOf = prepare<{ ids: string[] }, Head>(
  (arg) =>
    sql`select id, organization, revision from space where id = any(${arg("ids")}) and deleted_at is null`,
);

/** The organization and the current revision of those of the spaces that are not in the trash. */
export const heads = ({ db }: Ctx, ids: string[]): Promise<Head[]> => headsOf(db, { ids });

/** Changes columns of a space. */
export const update = ({ db, clock }: Ctx, id: string, set: Updateable<Database["space"]>) =>
  db
    .updateTable("space")
    .set({ ...set, updated_at: clock() })
    .where("id", "=", id)
    .execute();

/** Takes a space out of the trash; nothing comes back of one whose purge has begun. */
export const restore = ({ db, clock }: Ctx, id: string) =>
  db
    .updateTable("space")
    .set({ deleted_at: null, updated_at: clock() })
    .where("id", "=", id)
    .where("purging_at", "is", null)
    .returning("id")
    .executeTakeFirst();
