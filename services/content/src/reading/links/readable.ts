import { levelOn } from "../../access/level.js";
import * as spaces from "../../access/spaces.js";
import { permits } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";

/** Whether the caller may read a space or a collection. */
export const isReadable = (ctx: Ctx, row: Parameters<typeof levelOn>[1]) =>
  permits(levelOn(ctx.caller, row), "space.access");

/** Those of the spaces that are there and that the caller may read, in the order of their ids. */
export async function readableSpaces(ctx: Ctx, ids: string[]): Promise<spaces.Row[]> {
  if (ids.length === 0) return [];
  const rows = await spaces.findAll(ctx, ids);
  return rows.filter((row) => isReadable(ctx, row));
}
