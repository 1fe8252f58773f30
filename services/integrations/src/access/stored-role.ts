import type { Ctx } from "../trpc.js";

/**
 * The context with the caller's role in an organization as orgs has it now. Who changes something holds its lock and
 * asks then: the identity may be older than a removal that the lock has just let through.
 */
export async function withStoredRole(ctx: Ctx, organization: string): Promise<Ctx> {
  const { caller } = ctx;
  // Without a membership in the identity there is none to be lost.
  if (caller.kind !== "user" || !Object.hasOwn(caller.organizations, organization)) return ctx;
  const { [organization]: _, ...others } = caller.organizations;
  const member = await ctx.orgs.membership(ctx, organization, caller.id);
  const organizations = member ? { ...others, [organization]: member.role } : others;
  return { ...ctx, caller: { ...caller, organizations } };
}
