import { atLeast, type Role } from "@octavo/shared/access";
import { refuse } from "@octavo/shared/errors";
import { levelOn } from "../access/level.js";
import { load as loadCollection } from "../collections/load.js";
import { NEEDS as COLLECTION } from "../collections/permissions.js";
import { load as loadSpace } from "../spaces/load.js";
import { NEEDS as SPACE } from "../spaces/permissions.js";
import type { Ctx } from "../trpc.js";

/** What a grant is on. */
export interface Target {
  kind: "space" | "collection";
  id: string;
}

/** The organization of a space or collection, for a caller who may do this much with it. */
export async function open(ctx: Ctx, target: Target, minimum: Role) {
  const row = await loadAt(ctx, target, minimum);
  return { organization: row.organization, level: levelOn(ctx.caller, row) };
}

/** `open` for a caller who may grant there, at most what they have themselves: 403 for a role above their own. */
export async function manage(ctx: Ctx, target: Target, role: Role | null = null) {
  const opened = await open(ctx, target, (target.kind === "space" ? SPACE : COLLECTION).admin);
  refuseAbove(opened.level, role);
  return opened;
}

/** 403 for who would give or take a role that is above their own level. */
export function refuseAbove(level: Awaited<ReturnType<typeof open>>["level"], role: Role | null) {
  if (role === null || atLeast(level, role)) return;
  const message = `Permission: the role ${role} is above your own`;
  refuse("FORBIDDEN", message, { reason: "role_above_own" });
}

const loadAt = (ctx: Ctx, { kind, id }: Target, minimum: Role) =>
  kind === "space" ? loadSpace(ctx, id, minimum) : loadCollection(ctx, id, minimum);
