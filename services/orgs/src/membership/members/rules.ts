import { userOf } from "@octavo/shared/access";
import { MemberRemoved } from "@octavo/shared/contracts/events/orgs";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { paginate } from "@octavo/shared/paginate";
import { forgetIdentity, requireRole } from "../../access/identity.js";
import { isOwn, requireRoleLocked } from "../../access/members.js";
import * as tokens from "../../accounts/tokens/revocation.js";
import { endFor, endMadeBy } from "../../admission/end-invites.js";
import { auditMember } from "../../audit/audit.js";
import { visitorClaims } from "../../organization/visitor-auth/claims.js";
import type { Call } from "../../trpc.js";
import { noteDeparture, refuseLastAdministrator } from "./departure.js";
import { present, presentOne } from "./present.js";
import * as queries from "./queries.js";
import type { Get, List, Lookup, Ping, Remove } from "./schema.js";

// A member is a person in an organization, with a role that reaches everything in it.

/** Lists the members of an organization; 403 for guests, 404 for strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  await requireRole(ctx, input.organizationId, "organization.listMembers");
  const column = input.sort === "joinedAt" ? "member.joined_at" : "member.last_seen_at";
  return paginate({
    query: queries.list(ctx, input),
    by: [{ column, direction: input.order }],
    key: "member.person",
    input,
    view: (rows) => present(ctx, input.organizationId, rows),
  });
}

/** Returns a member of an organization; 403 to a guest for anybody else, 404 to strangers or when there is none. */
export async function get({ ctx, input: { organizationId, userId } }: Call<typeof Get>) {
  await requireRole(
    ctx,
    organizationId,
    isOwn(ctx, userId) ? "organization.view" : "organization.listMembers",
  );
  const row = found(await queries.find(ctx, organizationId, userId), "Member");
  return presentOne(ctx, row);
}

/**
 * Lists those of the people who are members, who joined first first: for services that show who takes part in
 * something.
 */
export async function lookup({ ctx, input }: Call<typeof Lookup>) {
  return paginate({
    query: queries.lookup(ctx, input.organizationId, input.users),
    by: [{ column: "member.joined_at" }],
    key: "member.person",
    input,
    view: (rows) => present(ctx, input.organizationId, rows),
  });
}

/**
 * Ends a membership with all that hangs on it, a service account altogether. Members may leave, administrators may
 * remove anybody (else 403); 409 for the last administrator. No error for who is no member.
 */
export function remove({ ctx, input }: Call<typeof Remove>) {
  const { organizationId: organization, userId: user } = input;
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organization, isOwn(ctx, user) ? "organization.view" : "organization.admin");
    const row = await queries.find(ctx, organization, user);
    if (!row) return;
    await refuseLastAdministrator(ctx, row);
    await tokens.revokeMember(ctx, organization, user);
    await endMadeBy(ctx, organization, user);
    await endFor(ctx, organization, user);
    await noteDeparture(ctx, organization, user);
    await queries.remove(ctx, organization, user);
    await queries.removeServiceAccount(ctx, organization, user);
    await emit(ctx, MemberRemoved, organization, { organization, user, joinedAt: row.joined_at });
    await auditMember(ctx, "member.remove", { id: user, organization }, { role: row.role });
    forgetIdentity(ctx, user);
  });
}

/**
 * Notes that the caller is here now; returns what they show to the organization's default site. 403 for a service, 404
 * for who is no member.
 */
export async function ping({ ctx, input: { organizationId: organization } }: Call<typeof Ping>) {
  const { id } = userOf(ctx);
  const entered = await requireRole(ctx, organization, "organization.view");
  found(await queries.see(ctx, organization, id, ctx.clock().toISOString()), "Organization");
  return { serviceVisitorClaims: await visitorClaims(entered, organization) };
}
