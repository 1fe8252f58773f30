import { found, refuse } from "@octavo/shared/errors";
import { type Action, allow } from "../permissions.js";
import type { Ctx } from "../trpc.js";
import { type Access, levelOn } from "./level.js";
import { type Locking, readLocked, type Target } from "./lock.js";
import { lockOrder } from "./lock-order.js";

// Spaces and collections are loaded and locked in the same ways (`load-space.ts`, `load-collection.ts`).

/** What is loaded by its id for those who may do something with it. */
export interface Loadable<Row extends Access> {
  kind: Target["kind"];
  /** What messages call it. */
  noun: string;
  find: (ctx: Ctx, id: string) => Promise<Row | undefined>;
}

/** Loads a thing for a caller who may do this with it; 404 to strangers, 403 to who may do too little. */
export async function load<Row extends Access>(
  ctx: Ctx,
  { find, noun }: Loadable<Row>,
  id: string,
  action: Action,
): Promise<Row> {
  const row = found(await find(ctx, id), noun);
  allow(levelOn(ctx.caller, row), action, noun);
  return row;
}

/** Locks a thing like `lock`, and refuses like `lock`; returns undefined where there is none. */
export async function lockIfAny<Row extends Access>(
  ctx: Ctx,
  { kind, find, noun }: Loadable<Row>,
  id: string,
  action: Action,
  locking: Locking = {},
): Promise<Row | undefined> {
  const row = await readLocked(ctx, { kind, id }, (ctx) => find(ctx, id), locking);
  if (row) allow(levelOn(ctx.caller, row), action, noun);
  return row;
}

/**
 * Locks a thing until the transaction ends, for a caller who may do this with it; 404 to strangers, 403 to who may do too
 * little, 409 when the caller lost rights while they waited.
 */
export async function lock<Row extends Access>(
  ctx: Ctx,
  thing: Loadable<Row>,
  id: string,
  action: Action,
  locking: Locking = {},
): Promise<Row> {
  return found(await lockIfAny(ctx, thing, id, action, locking), thing.noun);
}

/** How something is locked for a change of its place. */
export interface PlaceLocking extends Pick<Locking, "strength"> {
  /** The organization that it goes to, where that is another one. */
  to?: string;
  /** Locks what else the change is about, before the thing itself. */
  before?: () => Promise<void>;
}

/**
 * Locks the order of a thing's organization, and then the thing, for a change of its place or its owner; refuses like
 * `lock`, and with 409 when the thing was transferred in the meantime.
 */
export async function lockInOrder<Row extends Access>(
  ctx: Ctx,
  thing: Loadable<Row>,
  id: string,
  action: Action,
  { strength, to, before }: PlaceLocking = {},
): Promise<Row> {
  const { organization } = await load(ctx, thing, id, action);
  await lockOrder(ctx, organization, ...(to === undefined ? [] : [to]));
  await before?.();
  const row = await lock(ctx, thing, id, action, { strength, hasWaited: true });
  if (row.organization !== organization) refuse("CONFLICT", `${thing.noun}: was transferred in the meantime`);
  return row;
}
