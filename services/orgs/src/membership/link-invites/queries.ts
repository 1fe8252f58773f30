import type { Role } from "@octavo/shared/contracts/roles";
import { anyOf } from "@octavo/shared/database/any-of";
import type { Insertable, Selectable } from "kysely";
import type { Database } from "../../db/database.js";
import type { Ctx } from "../../trpc.js";
import type { Target } from "../invites/schema.js";

type Table = Database["invite"];
export type Row = Selectable<Table>;

/** The invites that are links, to content and to the organization itself. */
const inOrganization = ({ db }: Ctx, organization: string) =>
  db.selectFrom("invite").selectAll().where("organization", "=", organization).where("email", "is", null);

/** Finds a link of an organization by id. */
export const find = (ctx: Ctx, organization: string, id: string) =>
  inOrganization(ctx, organization).where("id", "=", id).executeTakeFirst();

interface Filter {
  target?: Target;
  roles?: Role[];
}

/**
 * Selects the links of an organization to one space or collection; without a target, those to the organization
 * itself. With `roles`, those that give one of them or none.
 */
export const list = (ctx: Ctx, organization: string, { target, roles }: Filter) =>
  (target
    ? inOrganization(ctx, organization).where("target_type", "=", target.type).where("target", "=", target.id)
    : inOrganization(ctx, organization).where("target", "is", null)
  ).$if(roles !== undefined, (query) =>
    query.where((of) => of.or([of("role", "is", null), of("role", "=", anyOf(roles!))])),
  );

/** Inserts a link and returns its row. */
export const insert = ({ db }: Ctx, values: Insertable<Table>) =>
  db.insertInto("invite").values(values).returningAll().executeTakeFirstOrThrow();

/** Sets the role, or the level on content, that a link gives; null for a guest. */
export const setRole = ({ db }: Ctx, id: string, role: Role | null) =>
  db.updateTable("invite").set({ role }).where("id", "=", id).execute();

/** Deletes a link of an organization; returns undefined when there was none. */
export const remove = (ctx: Ctx, organization: string, id: string) =>
  ctx.db
    .deleteFrom("invite")
    .where("organization", "=", organization)
    .where("email", "is", null)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
