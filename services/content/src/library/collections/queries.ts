import { anyOf } from "@octavo/shared/database/any-of";
import { type Insertable, type RawBuilder, sql, type Updateable } from "kysely";
import { all, type Row } from "../../access/collections.js";
import { none } from "../../access/spaces.js";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";

type Table = Database["collection"];

interface Filter {
  nested: boolean;
  /** The condition that holds for what the caller may read. */
  visible: RawBuilder<boolean>;
}

/** Selects the collections of an organization for which `visible` holds; the nested ones only when asked for. */
export const inOrganization = (ctx: Ctx, organization: string, { nested, visible }: Filter) =>
  all(ctx, none)
    .where("organization", "=", organization)
    .where(visible)
    .$if(!nested, (query) => query.where("parent", "is", null));

/** Inserts a collection. */
export const insert = ({ db }: Ctx, values: Insertable<Table>) =>
  db.insertInto("collection").values(values).execute();

/** Changes columns of a collection. */
export const update = ({ db, clock }: Ctx, id: string, set: Updateable<Table>) =>
  db
    .updateTable("collection")
    .set({ ...set, updated_at: clock() })
    .where("id", "=", id)
    .execute();

/** Puts a collection, and with it what is below, under other ancestors. Costs the rows of the subtree. */
export const graft = ({ db }: Ctx, { id, ancestors }: Pick<Row, "id" | "ancestors">, above: string[]) =>
  db
    .updateTable("collection")
    .set({ ancestors: sql<string[]>`${above}::text[] || ancestors[${ancestors.length + 1}:]` })
    .where((of) => of.or([of("id", "=", id), of("ancestors", "@>", sql<string[]>`array[${id}]`)]))
    .execute();

/** Moves collections to another organization; their parents and grants stay as they are. */
export const setOrganization = ({ db }: Ctx, ids: string[], organization: string) =>
  db.updateTable("collection").set({ organization }).where("id", "=", anyOf(ids)).execute();

/** Deletes all that is granted on collections. */
export const dropGrants = ({ db }: Ctx, ids: string[]) =>
  db.deleteFrom("content_grant").where("target", "=", anyOf(ids)).execute();

/** Deletes collections. */
export const remove = ({ db }: Ctx, ids: string[]) =>
  db.deleteFrom("collection").where("id", "=", anyOf(ids)).execute();
