import { refuse, refuseAt } from "@octavo/shared/errors";
import { allow, allowIn, type CollectionAction } from "../permissions.js";
import type { Ctx } from "../trpc.js";
import * as queries from "./collections.js";
import { levelOn } from "./level.js";
import { type Loadable, load, lock, lockInOrder, type PlaceLocking } from "./load.js";
import { type Locking, lockRows } from "./lock.js";
import { spacesIn } from "./spaces.js";

/** Every reader of a space walks up the line of its collections. */
const MAX_DEPTH = 20;

const COLLECTION: Loadable<queries.Row> = { kind: "collection", noun: "Collection", find: queries.find };

/** Loads a collection for a caller who may read it; 404 to all others. */
export const loadCollection = (ctx: Ctx, id: string) => load(ctx, COLLECTION, id, "collection.view");

/** Locks a collection for a caller who may do this with it; 404 to strangers, 403 to who may do too little. */
export const lockCollection = (ctx: Ctx, id: string, action: CollectionAction, locking?: Locking) =>
  lock(ctx, COLLECTION, id, action, locking);

/** Locks a collection and the order of its organization for a change of place; refuses like `lockCollection`, 409 after a transfer. */
export const lockCollectionInOrder = (ctx: Ctx, id: string, action: CollectionAction) =>
  lockInOrder(ctx, COLLECTION, id, action);

/** Locks a collection with all that lies in it, and the order of its organization; refuses like `lockCollectionInOrder`. */
export async function lockCollectionTree(
  ctx: Ctx,
  id: string,
  action: CollectionAction,
  { to }: Pick<PlaceLocking, "to"> = {},
) {
  let collections: string[] = [];
  let spaces: string[] = [];
  const before = async () => {
    collections = (await queries.tree(ctx, id)).map((collection) => collection.id);
    spaces = await spacesIn(ctx, collections);
    await lockRows(ctx, [...spaces, ...collections], "change");
  };
  const row = await lockInOrder(ctx, COLLECTION, id, action, { to, before });
  return { row, collections, spaces };
}

/**
 * Guards that the caller may put something under a parent (null: at the top level of the organization), which is
 * locked, and returns the collections that will be above it, from the top. 404 for a collection out of reach or of
 * another organization, 403 for who may create nothing there.
 */
export async function lockParent(ctx: Ctx, organization: string, parent: string | null): Promise<string[]> {
  if (parent === null) {
    allowIn(ctx, organization, "organization.createContent");
    return [];
  }
  const row = await lockCollection(ctx, parent, "collection.view", { strength: "use" });
  if (row.organization !== organization) refuse("NOT_FOUND", "Collection: not found");
  allow(levelOn(ctx.caller, row), "collection.create", "Collection");
  return [...row.ancestors, row.id];
}

/** 400 when collections would nest deeper than they may. */
export function refuseDepth(depth: number): void {
  if (depth <= MAX_DEPTH) return;
  refuseAt("body.parent", `collections nest at most ${MAX_DEPTH} deep`);
}
