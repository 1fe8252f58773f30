import type { Role } from "@octavo/shared/contracts/roles";
import type { z } from "zod";
import { levelOn } from "../../access/level.js";
import { loadCollection, lockCollection } from "../../access/load-collection.js";
import { loadSpace, lockSpace } from "../../access/load-space.js";
import type { Strength, Target } from "../../access/lock.js";
import { allowIn } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";
import { refuseAbove } from "./own-level.js";

export type { Target } from "../../access/lock.js";

/** The organization of a space or collection, for a caller who may read it. */
export async function loadTarget(ctx: Ctx, { kind, id }: Target): Promise<string> {
  const { organization } = await (kind === "space" ? loadSpace(ctx, id) : loadCollection(ctx, id));
  return organization;
}

/** Locks a space or collection for a caller who may grant there, at most what they have: 403 for a role above their own. */
export async function lockAdministered(
  ctx: Ctx,
  { kind, id }: Target,
  role: Role | null,
  strength: Strength,
) {
  const row = await (kind === "space"
    ? lockSpace(ctx, id, "space.admin", { strength })
    : lockCollection(ctx, id, "collection.admin", { strength }));
  const { organization, containers } = row;
  const level = levelOn(ctx.caller, row);
  refuseAbove(level, role);
  return { organization, containers, level };
}

/** A call about a space or a collection, whichever its path names. */
export interface CallOn<Input extends z.ZodType> {
  ctx: Ctx;
  target: Target;
  input: z.output<Input>;
}

/**
 * Returns the organization of a space or collection whose grants the caller may see: 404 for who may not read it, 403
 * for guests, who see no other members.
 */
export async function loadForMembers(ctx: Ctx, target: Target): Promise<string> {
  const organization = await loadTarget(ctx, target);
  allowIn(ctx, organization, "organization.listMembers", "Members");
  return organization;
}
