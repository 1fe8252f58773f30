import { MemberChanged } from "@octavo/shared/contracts/events/orgs";
import { atLeast } from "@octavo/shared/contracts/roles";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { forgetIdentity } from "../../../access/identity.js";
import { requireRoleLocked } from "../../../access/members.js";
import { auditMember } from "../../../audit/audit.js";
import type { Call } from "../../../trpc.js";
import { endRight, noteDeparture, refuseLastAdministrator } from "../departure.js";
import { presentOne } from "../present.js";
import * as queries from "../queries.js";
import type { Trust, Update } from "../schema.js";

/**
 * Changes a member's role; 403 for who is no administrator, 404 for no member, 409 for the last administrator. Who
 * loses the role of administrator loses the invites, and the tokens for others, that they made.
 */
export function update({ ctx, input }: Call<typeof Update>) {
  const { organizationId: organization, userId: user, role } = input;
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organization, "organization.admin");
    const row = found(await queries.find(ctx, organization, user), "Member");
    if (role === undefined || role === row.role) return presentOne(ctx, row);
    await refuseLastAdministrator(ctx, row);
    await queries.setRole(ctx, organization, user, role);
    await endRight(ctx, organization, user);
    if (row.role !== null && !atLeast(role, row.role)) await noteDeparture(ctx, organization, user);
    await emit(ctx, MemberChanged, organization, { organization, user, role });
    await auditMember(
      ctx,
      "member.update",
      { id: user, organization },
      { role: { from: row.role, to: role } },
    );
    forgetIdentity(ctx, user);
    return presentOne(ctx, { ...row, role });
  });
}

/**
 * Trusts a member to sign in through the organization's identity provider; the role stays as it is. 403 for who is no
 * administrator, 404 for no member.
 */
export function enableSso({
  ctx,
  input: { organizationId: organization, userId: user },
}: Call<typeof Trust>) {
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organization, "organization.admin");
    const row = found(await queries.find(ctx, organization, user), "Member");
    if (row.sso) return presentOne(ctx, row);
    await queries.setSso(ctx, organization, user);
    await emit(ctx, MemberChanged, organization, { organization, user, role: row.role });
    await auditMember(ctx, "member.trust", { id: user, organization }, { sso: { from: false, to: true } });
    forgetIdentity(ctx, user);
    return presentOne(ctx, { ...row, sso: true });
  });
}
