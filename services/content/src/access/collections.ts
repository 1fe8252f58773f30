import { anyOf } from "@octavo/shared/database/any-of";
import { sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { collectionContainers } from "./containers.js";

/** Collections with what decides on access. */
export const all = (ctx: Ctx, containers = collectionContainers(ctx)) =>
  ctx.db
    .selectFrom("collection")
    .select([
      "id",
      "title",
      "description",
      "organization",
      "parent",
      "ancestors",
      "default_level",
      "position",
    ])
    .select(containers.as("containers"));
export type Row = Awaited<ReturnType<ReturnType<typeof all>["executeTakeFirstOrThrow"]>>;

/** A collection by its id. */
export const find = (ctx: Ctx, id: string) => all(ctx).where("id", "=", id).executeTakeFirst();

/** Collections by their ids. */
export const findAll = async (ctx: Ctx, ids: string[]) =>
  ids.length === 0 ? [] : all(ctx).where("id", "=", anyOf(ids)).execute();

/** The collection and all collections below it, with how many are above each. */
export const tree = ({ db }: Ctx, id: string) =>
  db
    .selectFrom("collection")
    .select(["id", sql<number>`cardinality(ancestors)`.as("depth")])
    .where((of) => of.or([of("id", "=", id), of("ancestors", "@>", sql<string[]>`array[${id}]`)]))
    .execute();
