import { higher, type Role } from "@octavo/shared/contracts/roles";
import type { Ctx } from "../../trpc.js";
import { departed } from "./departures.js";
import * as queries from "./queries.js";
import { recordGrants } from "./record.js";
import type { Target } from "./target.js";

interface Accepted {
  organization: string;
  user: string;
  role: Role;
  /** Since when the user was the member who accepted; absent in events of older releases. */
  joinedAt?: string;
}

/**
 * Grants what an invite promised to the user who accepted it then. Nobody falls by an invite: a higher role that was
 * granted to them stays. What lies in the trash since then comes back with the grant; what is gone, or belongs to
 * another organization now, is left alone, and so is who ceased to be that member.
 */
export async function accept(ctx: Ctx, target: Target, accepted: Accepted, then: string) {
  const { organization, user, role, joinedAt = then } = accepted;
  const gone = await departed(ctx, organization, new Map([[user, joinedAt]]));
  if (gone.size > 0 || (await queries.lockOrganization(ctx, target)) !== organization) return;
  const [held] = await queries.held(ctx, target.id, [user]);
  const granted = { role: held ? higher(held.role, role) : role, created_at: then, joined_at: joinedAt };
  await queries.put(ctx, [
    { target: target.id, organization, subject: user, subject_kind: "user", ...granted },
  ]);
  const now = [{ subject: user, subject_kind: "user" as const, role: granted.role }];
  await recordGrants(ctx, target, organization, held ? [held] : [], now);
}
