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

/** What decides on access is left to the sight that the condition is from. */
export const inOrganization = (ctx: Ctx, organization: string, { nested, visible }: Filter) =>
  all(ctx, none)
    .where("organization", "=", organization)
    .where(visible)
    .$if(!nested, (query) => query.where("parent", "is", null));

export const insert = ({ db }: Ctx, values: Insertable<Table>) =>
  db.insertInto("collection").values(values).execute();

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

export const setOrganization = ({ db }: Ctx, ids: string[], organization: string) =>
  db.updateTable("collection").set({ organization }).where("id", "=", anyOf(ids)).execute();

export const dropGrants = ({ db }: Ctx, ids: string[]) =>
  db.deleteFrom("content_grant").where("target", "=", anyOf(ids)).execute();

export const remove = ({ db }: Ctx, ids: string[]) =>
  db.deleteFrom("collection").where("id", "=", anyOf(ids)).execute();
