import { changed } from "@octavo/shared/audit";
import type { Role } from "@octavo/shared/contracts/roles";
import { auditCollection, auditSpace } from "../../audit.js";
import type { Ctx } from "../../trpc.js";
import { countGrants, type Subject } from "./count.js";
import type { Target } from "./target.js";

type Held = (Subject & { role: Role })[];

const rolesOf = (held: Held) => Object.fromEntries(held.map(({ subject, role }) => [subject, role]));
const without = (held: Held, others: Held) =>
  held.filter(({ subject }) => !others.some((other) => other.subject === subject));

/**
 * Records what each user and team holds instead of before, and emits an event for those who hold a grant on one space more or
 * less; nothing when all is as it was.
 */
export async function recordGrants(ctx: Ctx, target: Target, organization: string, before: Held, now: Held) {
  const none = Object.fromEntries(before.map(({ subject }) => [subject, null]));
  const details = changed(rolesOf(before), { ...none, ...rolesOf(now) });
  if (Object.keys(details).length === 0) return;
  const owned = { id: target.id, organization };
  if (target.kind === "collection") {
    await auditCollection(ctx, "collection.permissions.update", owned, details);
    return;
  }
  await auditSpace(ctx, "space.permissions.update", owned, details);
  await countGrants(ctx, organization, [...without(before, now), ...without(now, before)]);
}
