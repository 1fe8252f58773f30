import { anyOf } from "@octavo/shared/database/any-of";
import { type RawBuilder, sql, type Updateable } from "kysely";
import { spaceContainers } from "../access/containers.js";
import type { Container } from "../access/level.js";
import { addressOf, backendOf } from "../audience/settle.js";
import type { Database } from "../database.js";
import type { Ctx } from "../trpc.js";

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

const none = sql<Container[]>`'[]'::jsonb`;

/** Spaces with their address and what decides on access, which is nothing for services: they may do everything. */
const all = (ctx: Ctx, containers = ctx.caller.kind === "service" ? none : spaceContainers(ctx)) =>
  ctx.db
    .selectFrom("space")
    .select([
      ...columns,
      addressOf.as("published"),
      backendOf.as("visitor_backend"),
      containers.as("containers"),
    ]);
export type Row = Awaited<ReturnType<ReturnType<typeof all>["executeTakeFirstOrThrow"]>>;

const live = (ctx: Ctx, containers?: RawBuilder<Container[]>) =>
  all(ctx, containers).where("deleted_at", "is", null);

export const find = (ctx: Ctx, id: string) => live(ctx).where("id", "=", id).executeTakeFirst();
/** Also in the trash. */
export const findAny = (ctx: Ctx, id: string) => all(ctx).where("id", "=", id).executeTakeFirst();

export const findAll = (ctx: Ctx, ids: string[]) =>
  live(ctx).where("id", "=", anyOf(ids)).orderBy("id").execute();
/** Also in the trash. */
export const findAllAny = (ctx: Ctx, ids: string[]) =>
  all(ctx).where("id", "=", anyOf(ids)).orderBy("id").execute();

/** Also those in the trash. */
export const findAnyOf = async (ctx: Ctx, ids: string[]) =>
  ids.length === 0 ? [] : all(ctx).where("id", "=", anyOf(ids)).execute();

/** What decides on access is left to the sight that the condition is from. */
export const inOrganization = (ctx: Ctx, organization: string, readable: RawBuilder<boolean>) =>
  live(ctx, none).where("organization", "=", organization).where(readable);

export const inCollection = (ctx: Ctx, organization: string, parent: string, readable: RawBuilder<boolean>) =>
  inOrganization(ctx, organization, readable).where("parent", "=", parent);

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
