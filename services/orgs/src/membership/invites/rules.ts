// An invite brings somebody into an organization: one for an address, once, or a link for whoever has it.

import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { requireRole, requireUnboundToken } from "../../access/identity.js";
import { isMember, lockMembers, requireRoleLocked } from "../../access/members.js";
import * as users from "../../accounts/users/accounts.js";
import { admit } from "../../admission/admit.js";
import { end } from "../../admission/end-invites.js";
import * as emailDomains from "../../organization/email-domains/rules.js";
import type { Call } from "../../trpc.js";
import { alreadyMember, isOfDomains } from "./admission.js";
import * as queries from "./queries.js";
import type { Accept, Join, List, Revoke } from "./schema.js";
import { view } from "./view.js";

/** Lists the invites to addresses that nobody has used yet; 403 for who is no administrator, 404 to strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  await requireRole(ctx, input.organizationId, "organization.admin");
  return paginate({
    query: queries.list(ctx, input.organizationId),
    input,
    view: (rows) => rows.map(view(ctx)),
  });
}

/**
 * Revokes an invite, the token that came with it and those made with that; 403 for who is no administrator. No error
 * when there is none.
 */
export function revoke({ ctx, input: { organizationId: organization, inviteId } }: Call<typeof Revoke>) {
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organization, "organization.admin");
    const row = await queries.find(ctx, organization, inviteId);
    if (row && row.email !== null) await end(ctx, [row]);
  });
}

/** Returns the content that an invite leads to; null for one to the organization, and for none at all. */
export async function target({ ctx, input: { organizationId, inviteId } }: Call<typeof Accept>) {
  const { target: id, target_type: type } = (await queries.find(ctx, organizationId, inviteId)) ?? {};
  return id && type ? { type, id } : null;
}

/**
 * Joins as a guest by the domain of one's confirmed address, which the organization has verified; other organizations
 * are not there to be joined, and refused like what is no organization: 404. 401 for a token that has ended, 403 with
 * one bound to an organization, 409 for a member.
 */
export function join({ ctx, input: { organizationId: id } }: Call<typeof Join>) {
  return transact(ctx, async (ctx) => {
    const account = await users.account(ctx, (await requireUnboundToken(ctx)).id);
    await lockMembers(ctx, id);
    if (await isMember(ctx, id, account.id)) alreadyMember();
    if (!isOfDomains(await emailDomains.verified(ctx, id), account)) {
      refuse("NOT_FOUND", "Organization: not found among those of your e-mail address's domain", {
        reason: "outside_email_domains",
      });
    }
    await admit(ctx, { organization: id, person: account.id, role: null });
  });
}
