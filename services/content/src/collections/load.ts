import { allow, allowIn, type Role } from "@octavo/shared/access";
import { found, refuse, refuseAt } from "@octavo/shared/errors";
import { levelOn } from "../access/level.js";
import type { Ctx } from "../trpc.js";
import { NEEDS } from "./permissions.js";
import { lockOrder } from "./place.js";
import * as queries from "./queries.js";

/** Every reader of a space walks up the line of its collections. */
const MAX_DEPTH = 20;

/** A collection for a caller who may do this much with it: 404 to strangers, 403 to who may too little. */
export async function load(ctx: Ctx, id: string, minimum: Role): Promise<queries.Row> {
  const row = found(await queries.find(ctx, id), "Collection");
  allow(levelOn(ctx.caller, row), minimum, "Collection");
  return row;
}

/** `load` for a change of place or owner: the order of its organization is this transaction's until it ends. */
export async function hold(ctx: Ctx, id: string, minimum: Role): Promise<queries.Row> {
  const { organization } = await load(ctx, id, minimum);
  await lockOrder(ctx, organization);
  const row = await load(ctx, id, minimum);
  if (row.organization !== organization) refuse("CONFLICT", "Collection: was transferred in the meantime");
  return row;
}

/**
 * Guards that the caller may put something under a parent (null: at the top level of the organization), and answers
 * the collections that will be above it, from the top.
 */
export async function openParent(ctx: Ctx, organization: string, parent: string | null): Promise<string[]> {
  if (parent === null) {
    allowIn(ctx, organization, NEEDS.create);
    return [];
  }
  const row = await load(ctx, parent, "read");
  if (row.organization !== organization) refuse("NOT_FOUND", "Collection: not found");
  allow(levelOn(ctx.caller, row), NEEDS.create, "Collection");
  return [...row.ancestors, row.id];
}

/** 400 when collections would nest deeper than they may. */
export function refuseDepth(depth: number): void {
  if (depth <= MAX_DEPTH) return;
  refuseAt("body.parent", `collections nest at most ${MAX_DEPTH} deep`);
}
