import type { Caller } from "@octavo/shared/contracts/callers";
import { anyOf } from "@octavo/shared/database/any-of";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { spaceContainers } from "./containers.js";
import type { Container } from "./level.js";
import { addressFor, backendOf, conditionsFor, pinnedFor, shownTo } from "./visibility.js";

const columns = [
  "id",
  "organization",
  "title",
  "emoji",
  "icon",
  "visibility",
  "edit_mode",
  "parent",
  "default_level",
  "position",
  "language",
  "git",
  "revision",
  "comments",
  "change_requests",
  "change_requests_open",
  "change_requests_draft",
  "created_by",
  "created_at",
  "updated_at",
  "deleted_at",
  "purging_at",
] as const;

/** For those whose access is decided in another way. */
export const none = sql<Container[]>`'[]'::jsonb`;

/**
 * Spaces with their address and what decides on access, which is nothing for services and visitors: what they may do does
 * not follow from what a space lies in.
 */
const all = (ctx: Ctx, containers = isApart(ctx.caller) ? none : spaceContainers(ctx)) =>
  ctx.db
    .selectFrom("space")
    .select([
      ...columns,
      addressFor(ctx.caller).as("published"),
      backendOf.as("visitor_backend"),
      shownTo(ctx.caller).as("shown"),
      conditionsFor(ctx.caller).as("conditions"),
      pinnedFor(ctx.caller).as("pinned"),
      containers.as("containers"),
    ]);
export type Row = Awaited<ReturnType<ReturnType<typeof all>["executeTakeFirstOrThrow"]>>;

const isApart = ({ kind }: Caller) => kind === "service" || kind === "reader";

/** Spaces that are not in the trash. */
export const live = (ctx: Ctx, containers?: RawBuilder<Container[]>) =>
  all(ctx, containers).where("deleted_at", "is", null);

/** A space that is not in the trash. */
export const find = (ctx: Ctx, id: string) => live(ctx).where("id", "=", id).executeTakeFirst();
/** Finds a space, also in the trash. */
export const findAny = (ctx: Ctx, id: string) => all(ctx).where("id", "=", id).executeTakeFirst();

/** Spaces that are not in the trash, by their ids. */
export const findAll = (ctx: Ctx, ids: string[]) =>
  live(ctx).where("id", "=", anyOf(ids)).orderBy("id").execute();
/** Spaces by their ids, also in the trash, sorted by id. */
export const findAllAny = (ctx: Ctx, ids: string[]) =>
  all(ctx).where("id", "=", anyOf(ids)).orderBy("id").execute();

/** Spaces by their ids, also in the trash; asks nothing for none. */
export const findAnyOf = async (ctx: Ctx, ids: string[]) =>
  ids.length === 0 ? [] : all(ctx).where("id", "=", anyOf(ids)).execute();

/** The spaces directly in these collections, those in the trash too: all of them belong to their organization. */
export async function spacesIn({ db }: Ctx, collections: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("space")
    .select("id")
    .where("parent", "=", anyOf(collections))
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}
