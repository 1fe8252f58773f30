// Nobody raises a level above their own: neither by a grant, nor by a default level, nor by where something lies.

import { roleIn } from "@octavo/shared/contracts/callers";
import { atLeast, isHighest, type Level, type Role } from "@octavo/shared/contracts/roles";
import { refuse } from "@octavo/shared/errors";
import { type Access, levelOn } from "../../access/level.js";
import type { Target } from "../../access/lock.js";
import type { Ctx } from "../../trpc.js";
import { type Granting, levelOfMember } from "./member-level.js";
import { containers } from "./queries.js";

/** 403 for who would give or take a role that is above their own level. */
export function refuseAbove(level: Level, role: Role | null): void {
  if (role === null || atLeast(level, role)) return;
  const message = `Permission: the role ${role} is above your own`;
  refuse("FORBIDDEN", message, { reason: "role_above_own" });
}

/**
 * Runs a change of what decides on access to something, whose row is locked. 403 when afterwards anybody has a role there
 * that is above what the caller had before, and had it not themselves: the caller by any way, others by a grant or the
 * default level.
 */
export async function withinOwnLevel<Result>(
  ctx: Ctx,
  target: Target,
  before: Access,
  change: () => Promise<Result>,
): Promise<Result> {
  const own = levelOn(ctx.caller, before);
  if (isHighest(own)) return change();
  const had = givenBy(await containers(ctx, target));
  const result = await change();
  const around = await containers(ctx, target);
  const has = givenBy(around);
  for (const subject of [EVERYBODY, ...had.subjects.keys(), ...has.subjects.keys()]) {
    const role = has.to(subject);
    if (role !== null && !atLeast(had.to(subject), role)) refuseAbove(own, role);
  }
  refuseAbove(own, ownLevel(ctx, before.organization, around) ?? null);
  return result;
}

const EVERYBODY = "";

/** What is given by containers, innermost first: roles to those who are granted one, and by default to everybody else. */
function givenBy(around: Granting[]) {
  const subjects = new Map<string, Role>();
  let byDefault: Role | null = null;
  for (const { grants, default_level } of around) {
    for (const { subject, role } of grants) if (!subjects.has(subject)) subjects.set(subject, role);
    if (default_level === "inherit") continue;
    byDefault = default_level;
    break;
  }
  return { subjects, to: (subject: string) => subjects.get(subject) ?? byDefault };
}

function ownLevel({ caller }: Ctx, organization: string, around: Granting[]): Level {
  if (caller.kind !== "user") return undefined;
  const role = roleIn(caller, organization) ?? null;
  return levelOfMember(organization, around, { user: caller.id, role, teams: caller.teams });
}
