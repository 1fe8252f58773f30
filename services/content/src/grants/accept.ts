import { higher, type Role } from "@octavo/shared/access";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";
import { recordGrants } from "./record.js";
import type { Target } from "./target.js";

interface Accepted {
  organization: string;
  user: string;
  role: Role;
}

/**
 * Grants what an invite promised to the user who accepted it then. Nobody falls by an invite: a higher role that was
 * granted to them stays. What lies in the trash since then comes back with the grant; what is gone, or belongs to
 * another organization now, is left alone.
 */
export async function accept(ctx: Ctx, target: Target, { organization, user, role }: Accepted, then: string) {
  if ((await queries.hold(ctx, target)) !== organization) return;
  const [held] = await queries.held(ctx, target.id, [user]);
  const granted = { role: held ? higher(held.role, role) : role, created_at: then };
  await queries.put(ctx, [
    { target: target.id, organization, subject: user, subject_kind: "user", ...granted },
  ]);
  const now = [{ subject: user, subject_kind: "user" as const, role: granted.role }];
  await recordGrants(ctx, target, organization, held ? [held] : [], now);
}
