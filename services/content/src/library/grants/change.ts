import type { Role } from "@octavo/shared/contracts/roles";
import { transact } from "@octavo/shared/database/transact";
import type { Ctx } from "../../trpc.js";
import { refuseAbove, withinOwnLevel } from "./own-level.js";
import * as queries from "./queries.js";
import { recordGrants } from "./record.js";
import { lockAdministered, type Target } from "./target.js";

type Held = Awaited<ReturnType<typeof queries.held>>;

/**
 * Changes what subjects are granted on a space or collection, under its lock, and records it; 403 when the caller
 * does not have all that the subjects hold, and the new role, themselves.
 */
export function changeGrants(
  ctx: Ctx,
  target: Target,
  subjects: string[],
  role: Role | null,
  write: (ctx: Ctx, organization: string, held: Held) => Promise<unknown>,
): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { organization, containers, level } = await lockAdministered(ctx, target, role, "change");
    const held = await queries.held(ctx, target.id, subjects);
    for (const grant of held) refuseAbove(level, grant.role);
    await withinOwnLevel(ctx, target, { organization, containers }, () => write(ctx, organization, held));
    await recordGrants(ctx, target, organization, held, await queries.held(ctx, target.id, subjects));
  });
}
