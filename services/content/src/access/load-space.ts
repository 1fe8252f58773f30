import { found, refuse } from "@octavo/shared/errors";
import { allow, permits, type SpaceAction } from "../permissions.js";
import type { Ctx } from "../trpc.js";
import { allowSpace, levelOn, type ReadAction } from "./level.js";
import { readLocked, type Strength } from "./lock.js";
import { lockOrder } from "./lock-order.js";
import * as queries from "./spaces.js";

/** How long a space stays in the trash. Source: the limits of the interface. */
export const RETENTION_MS = 7 * 86_400_000;

/** Returns a space to a caller who may read it; 404 to all others. */
export async function loadSpace(ctx: Ctx, id: string): Promise<queries.Row> {
  const row = found(await queries.find(ctx, id), "Space");
  allow(levelOn(ctx.caller, row), "space.access", "Space");
  return row;
}

/** A space for a read, also from the trash: what lies there shows itself to those who may restore it, until its time is over. */
export async function loadAnySpace(ctx: Ctx, id: string, action: ReadAction): Promise<queries.Row> {
  return allowAny(ctx, await queries.findAny(ctx, id), action);
}

/** Locks a space for a change by a caller who may do this much with it; 404 to strangers, 403 to who may too little. */
export async function lockSpace(
  ctx: Ctx,
  id: string,
  action: SpaceAction,
  strength: Strength = "change",
  waited = false,
): Promise<queries.Row> {
  return found(await lockSpaceIfAny(ctx, id, action, strength, waited), "Space");
}

/** Locks a space like `lockSpace`; returns undefined when there is none or it lies in the trash. */
export async function lockSpaceIfAny(
  ctx: Ctx,
  id: string,
  action: SpaceAction,
  strength: Strength = "change",
  waited = false,
): Promise<queries.Row | undefined> {
  const read = (ctx: Ctx) => queries.find(ctx, id);
  const row = await readLocked(ctx, { kind: "space", id }, strength, read, waited);
  if (row) allow(levelOn(ctx.caller, row), action, "Space");
  return row;
}

/** Locks a space for a change, also in the trash; 404 when its time there is over. */
export async function lockAnySpace(ctx: Ctx, id: string, action: SpaceAction): Promise<queries.Row> {
  const row = await readLocked(ctx, { kind: "space", id }, "change", (ctx) => queries.findAny(ctx, id));
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

interface Place {
  strength?: Strength;
  /** The organization that it goes to. */
  to?: string;
}

/** Locks a space and the order of the organizations for a change of place or owner; refuses like `lockSpace`, 409 after a transfer. */
export async function lockSpaceInOrder(
  ctx: Ctx,
  id: string,
  action: SpaceAction,
  { strength, to }: Place = {},
): Promise<queries.Row> {
  const { organization, ...seen } = found(await queries.find(ctx, id), "Space");
  allow(levelOn(ctx.caller, { organization, ...seen }), action, "Space");
  await lockOrder(ctx, organization, ...(to === undefined ? [] : [to]));
  const row = await lockSpace(ctx, id, action, strength, true);
  if (row.organization !== organization) refuse("CONFLICT", "Space: was transferred in the meantime");
  return row;
}
