import { allow, atLeast, type Role } from "@octavo/shared/access";
import { found, refuse } from "@octavo/shared/errors";
import { allowOnSpace, levelOn, type Need } from "../access/level.js";
import { lockOrder } from "../collections/place.js";
import type { Ctx } from "../trpc.js";
import { NEEDS } from "./permissions.js";
import * as queries from "./queries.js";

/** How long a space stays in the trash. Source: the limits of the interface. */
export const RETENTION_MS = 7 * 86_400_000;

/** A space for a caller who may do this much with it: 404 to strangers, 403 to who may too little. */
export async function load(ctx: Ctx, id: string, minimum: Role): Promise<queries.Row> {
  const row = found(await queries.find(ctx, id), "Space");
  allow(levelOn(ctx.caller, row), minimum, "Space");
  return row;
}

/** `load`, also from the trash: what lies there shows itself to those who may restore it, until its time is over. */
export async function loadAny(ctx: Ctx, id: string, need: Need): Promise<queries.Row> {
  const row = found(await queries.findAny(ctx, id), "Space");
  const level = levelOn(ctx.caller, row);
  if (row.deleted_at !== null) {
    const over = row.purging_at !== null || isOver(ctx, row.deleted_at);
    if (over || !atLeast(level, NEEDS.admin)) refuse("NOT_FOUND", "Space: not found");
  }
  allowOnSpace(level, row.visibility, need);
  return row;
}

const isOver = ({ clock }: Ctx, deletedAt: string) =>
  Date.parse(deletedAt) + RETENTION_MS <= clock().getTime();

/** `load` for a change of place or owner: the order of its organization is this transaction's until it ends. */
export async function hold(ctx: Ctx, id: string, minimum: Role): Promise<queries.Row> {
  const { organization } = await load(ctx, id, minimum);
  await lockOrder(ctx, organization);
  const row = await load(ctx, id, minimum);
  if (row.organization !== organization) refuse("CONFLICT", "Space: was transferred in the meantime");
  return row;
}
