import { newId } from "@octavo/shared/ids";
import type { Insertable } from "kysely";
import { hidden } from "../access/visibility.js";
import type { Database } from "../db/database.js";
import { authorOf } from "../people/author.js";
import type { Ctx } from "../trpc.js";
import { commit } from "./commit.js";

type NewSpace = Omit<Insertable<Database["space"]>, "id" | "revision" | "visibility" | "created_by">;

/**
 * A new space of the caller's with its primary branch, which has the id of the space, and a first revision without
 * pages. The order of the organization is locked, and a place in it chosen. Returns the id.
 */
export async function openSpace(ctx: Ctx, space: NewSpace, id = newId()): Promise<string> {
  const now = ctx.clock();
  const created_by = await authorOf(ctx);
  const { parent = null, default_level = "inherit" } = space;
  const visibility = hidden(parent, default_level);
  const rest = { created_by, created_at: now, updated_at: now };
  await ctx.db
    .insertInto("space")
    .values({ ...space, id, default_level, visibility, revision: "", ...rest })
    .execute();
  const head = { id, seq: 0, revision: "", base_seq: null };
  await ctx.db
    .insertInto("branch")
    .values({ ...head, space: id })
    .execute();
  const first = await commit(ctx, { space: id, head, type: "edits", changes: { put: [], remove: [] } });
  await ctx.db.updateTable("space").set({ revision: first.id }).where("id", "=", id).execute();
  return id;
}
