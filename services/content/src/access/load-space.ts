import { found, refuse } from "@octavo/shared/errors";
import { permits, type SpaceAction } from "../permissions.js";
import type { Ctx } from "../trpc.js";
import { allowSpace, levelOn, type ReadAction } from "./level.js";
import { type Loadable, load, lock, lockIfAny, lockInOrder, type PlaceLocking } from "./load.js";
import { type Locking, readLocked } from "./lock.js";
import * as queries from "./spaces.js";

/** How long a space stays in the trash. Source: the limits of the interface. */
export const RETENTION_MS = 7 * 86_400_000;

const SPACE: Loadable<queries.Row> = { kind: "space", noun: "Space", find: queries.find };

/** Loads a space for a caller who may read it; 404 to all others. */
export const loadSpace = (ctx: Ctx, id: string) => load(ctx, SPACE, id, "space.access");

/**
 * Loads a space for a read, also from the trash: what lies there shows itself to those who may restore it, until its
 * time is over. 404 to all others.
 */
export async function loadAnySpace(ctx: Ctx, id: string, action: ReadAction): Promise<queries.Row> {
  return allowAny(ctx, await queries.findAny(ctx, id), action);
}

/** Locks a space for a caller who may do this with it; 404 to strangers, 403 to who may do too little. */
export const lockSpace = (ctx: Ctx, id: string, action: SpaceAction, locking?: Locking) =>
  lock(ctx, SPACE, id, action, locking);

/** Locks a space like `lockSpace`; returns undefined when there is none or it lies in the trash. */
export const lockSpaceIfAny = (ctx: Ctx, id: string, action: SpaceAction) =>
  lockIfAny(ctx, SPACE, id, action);

/** Locks a space and the order of the organizations for a change of place or owner; refuses like `lockSpace`, 409 after a transfer. */
export const lockSpaceInOrder = (
  ctx: Ctx,
  id: string,
  action: SpaceAction,
  locking?: Pick<PlaceLocking, "strength" | "to">,
) => lockInOrder(ctx, SPACE, id, action, locking);

/** Locks a space for a change, also in the trash; 404 when its time there is over. */
export async function lockAnySpace(ctx: Ctx, id: string, action: SpaceAction): Promise<queries.Row> {
  const row = await readLocked(ctx, { kind: "space", id }, (ctx) => queries.findAny(ctx, id));
  return allowAny(ctx, row, action);
}

function allowAny(ctx: Ctx, maybe: queries.Row | undefined, action: SpaceAction): queries.Row {
  const row = found(maybe, "Space");
  const level = levelOn(ctx.caller, row);
  if (row.deleted_at !== null) {
    const over = row.purging_at !== null || isOver(ctx, row.deleted_at);
    if (over || !permits(level, "space.admin")) refuse("NOT_FOUND", "Space: not found");
  }
  allowSpace(ctx.caller, row, action);
  return row;
}

const isOver = ({ clock }: Ctx, deletedAt: string) =>
  Date.parse(deletedAt) + RETENTION_MS <= clock().getTime();
