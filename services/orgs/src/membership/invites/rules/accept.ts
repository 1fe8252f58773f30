// How an invite lets somebody in.

import { userOf } from "@octavo/shared/access";
import { InviteAccepted } from "@octavo/shared/contracts/events/orgs";
import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { requireUnboundToken } from "../../../access/identity.js";
import { departedSince, isMember, lockMembers, memberSince } from "../../../access/members.js";
import * as tokens from "../../../accounts/tokens/revocation.js";
import * as users from "../../../accounts/users/accounts.js";
import { admit } from "../../../admission/admit.js";
import * as admission from "../../../admission/queries.js";
import { targetOf } from "../../../admission/target.js";
import { audit } from "../../../audit/audit.js";
import * as emailDomains from "../../../organization/email-domains/rules.js";
import * as organizations from "../../../organization/organizations/load.js";
import type { Call, Ctx } from "../../../trpc.js";
import { alreadyMember, isExpired, isOfDomains, refuseOutside } from "../admission.js";
import * as queries from "../queries.js";
import type { Accept } from "../schema.js";

/**
 * Accepts an invite to one's own address, or by a link. 401 for a token that has ended, 403 with one bound elsewhere,
 * 404 when there is no such invite or it is another's. Else it refuses like `acceptVouched`: 403 and 409.
 */
export function accept({ ctx, input }: Call<typeof Accept>) {
  return transact(ctx, async (ctx) => {
    await invitee(ctx, input.organizationId);
    return acceptVouched({ ctx, input });
  });
}

/**
 * Accepts an invite as a caller without a token, whom a code or an identity provider has vouched for. 403 when it has
 * expired, and by a link that the organization does not take, or not from this person; 404 when there is none or it is
 * another's, 409 for who is a member and would be granted nothing.
 */
export function acceptVouched({ ctx, input: { organizationId: id, inviteId } }: Call<typeof Accept>) {
  return transact(ctx, async (ctx) => {
    await lockMembers(ctx, id);
    const { id: person, token } = userOf(ctx);
    const waited = await queries.waitsFor(ctx, id, token);
    const account = await users.account(ctx, person);
    const invite = (await queries.find(ctx, id, inviteId)) ?? notFound();
    await (invite.email === null ? admitLink(ctx, invite, account) : admitAddress(ctx, invite, account));
    // By a link, the invite whose token was used for it has served as well: without that token nobody could go on.
    const used = invite.email === null ? waited : invite;
    await admitBy(ctx, invite, account.id, used?.id);
    if (used) {
      await tokens.bindInvited(ctx, used);
      await admission.remove(ctx, [used.id]);
    }
    await audit(ctx, { organization: id, action: "invite.accept", target: targetOf(invite) });
    return {};
  });
}

/** The caller acting for themselves, or with a token that waits with an invite to this organization. */
async function invitee(ctx: Ctx, organization: string): Promise<void> {
  if (!(await queries.waitsFor(ctx, organization, userOf(ctx).token))) await requireUnboundToken(ctx);
}

async function admitAddress(ctx: Ctx, invite: admission.Row, { id, email }: users.Account) {
  if (email !== invite.email) notFound();
  if (isExpired(ctx, invite)) refuse("FORBIDDEN", "Invite: has expired", { reason: "invite_expired" });
  if (await isMember(ctx, invite.organization, id)) alreadyMember();
}

/** The same for an invite of somebody else's as for none. */
function notFound(): never {
  refuse("NOT_FOUND", "Invite: not found, or not for your e-mail address");
}

async function admitLink(ctx: Ctx, invite: admission.Row, account: users.Account) {
  const organization = await organizations.load(ctx, invite.organization);
  if (!organization.invite_links) {
    refuse("FORBIDDEN", "Invite: the organization does not let links invite", { reason: "invite_links_off" });
  }
  const member = await isMember(ctx, organization.id, account.id);
  if (member && invite.target === null) alreadyMember();
  if (await departedSince(ctx, organization.id, account.id, invite.created_at)) {
    const what =
      "Invite: the link is older than your removal from the organization, or the change of your role";
    refuse("FORBIDDEN", what, { reason: "removed_since" });
  }
  if (member || organization.email_domains.length === 0) return;
  if (!isOfDomains(await emailDomains.verified(ctx, organization.id), account)) refuseOutside();
}

/** By a link to content, who is not a member becomes a guest; content grants the level when it receives the event. */
async function admitBy(ctx: Ctx, invite: admission.Row, person: string, accepted: string | undefined) {
  const { organization, role, sso, target, target_type: type } = invite;
  if (target === null || type === null) {
    await admit(ctx, { organization, person, role, sso, accepted });
    return;
  }
  if (!(await isMember(ctx, organization, person))) {
    await admit(ctx, { organization, person, role: null, accepted });
  }
  const joinedAt = await memberSince(ctx, organization, person);
  const granted = { organization, user: person, joinedAt, target: { type, id: target }, level: role };
  await emit(ctx, InviteAccepted, organization, granted);
}
