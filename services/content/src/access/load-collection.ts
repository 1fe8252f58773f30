import { found, refuse, refuseAt } from "@octavo/shared/errors";
import { allow, allowIn, type CollectionAction } from "../permissions.js";
import type { Ctx } from "../trpc.js";
import * as queries from "./collections.js";
import { levelOn } from "./level.js";
import { lockRows, readLocked, type Strength } from "./lock.js";
import { lockOrder } from "./lock-order.js";
import { spacesIn } from "./spaces.js";

/** Every reader of a space walks up the line of its collections. */
const MAX_DEPTH = 20;

/** Returns a collection to a caller who may read it; 404 to all others. */
export async function loadCollection(ctx: Ctx, id: string): Promise<queries.Row> {
  const row = found(await queries.find(ctx, id), "Collection");
  allow(levelOn(ctx.caller, row), "collection.view", "Collection");
  return row;
}

/** Locks a collection for a change by a caller who may do this much with it; 404 to strangers, 403 to who may too little. */
export async function lockCollection(
  ctx: Ctx,
  id: string,
  action: CollectionAction,
  strength: Strength = "change",
  waited = false,
): Promise<queries.Row> {
  const read = (ctx: Ctx) => queries.find(ctx, id);
  const row = found(await readLocked(ctx, { kind: "collection", id }, strength, read, waited), "Collection");
  allow(levelOn(ctx.caller, row), action, "Collection");
  return row;
}

interface Place {
  /** The organization that it goes to. */
  to?: string;
}

/** Locks a collection and the order of its organization for a change of place; refuses like `lockCollection`, 409 after a transfer. */
export async function lockCollectionInOrder(
  ctx: Ctx,
  id: string,
  action: CollectionAction,
  { to }: Place = {},
): Promise<queries.Row> {
  const organization = await lockOrderOf(ctx, id, action, to);
  return stillIn(organization, await lockCollection(ctx, id, action, "change", true));
}

/** Locks a collection with all that lies in it, and the order of its organization; refuses like `lockCollectionInOrder`. */
export async function lockCollectionTree(ctx: Ctx, id: string, action: CollectionAction, { to }: Place = {}) {
  const organization = await lockOrderOf(ctx, id, action, to);
  const collections = (await queries.tree(ctx, id)).map((collection) => collection.id);
  const spaces = await spacesIn(ctx, collections);
  await lockRows(ctx, [...spaces, ...collections], "change");
  const row = stillIn(organization, await lockCollection(ctx, id, action, "change", true));
  return { row, collections, spaces };
}

async function lockOrderOf(
  ctx: Ctx,
  id: string,
  action: CollectionAction,
  to: string | undefined,
): Promise<string> {
  const seen = found(await queries.find(ctx, id), "Collection");
  allow(levelOn(ctx.caller, seen), action, "Collection");
  await lockOrder(ctx, seen.organization, ...(to === undefined ? [] : [to]));
  return seen.organization;
}

function stillIn(organization: string, row: queries.Row): queries.Row {
  if (row.organization === organization) return row;
  return refuse("CONFLICT", "Collection: was transferred in the meantime");
}

/**
 * Guards that the caller may put something under a parent (null: at the top level of the organization), which is locked,
 * and returns the collections that will be above it, from the top.
 */
export async function lockParent(ctx: Ctx, organization: string, parent: string | null): Promise<string[]> {
  if (parent === null) {
    allowIn(ctx, organization, "organization.createContent");
    return [];
  }
  const row = await lockCollection(ctx, parent, "collection.view", "use");
  if (row.organization !== organization) refuse("NOT_FOUND", "Collection: not found");
  allow(levelOn(ctx.caller, row), "collection.create", "Collection");
  return [...row.ancestors, row.id];
}

/** 400 when collections would nest deeper than they may. */
export function refuseDepth(depth: number): void {
  if (depth <= MAX_DEPTH) return;
  refuseAt("body.parent", `collections nest at most ${MAX_DEPTH} deep`);
}
