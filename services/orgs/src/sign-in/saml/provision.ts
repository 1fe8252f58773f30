import { refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { lockMembers } from "../../access/members.js";
import * as tokens from "../../accounts/tokens/revocation.js";
import * as users from "../../accounts/users/accounts.js";
import { admit as admitMember } from "../../admission/admit.js";
import { auditTeam } from "../../audit/audit.js";
import { domainOf } from "../../membership/invites/admission.js";
import { acceptVouched } from "../../membership/invites/rules/accept.js";
import { enroll } from "../../membership/teams/enroll.js";
import { emitTeamChanged } from "../../membership/teams/team-changed.js";
import * as emailDomains from "../../organization/email-domains/rules.js";
import type { Ctx } from "../../trpc.js";
import * as accounts from "./account-queries.js";
import type { Claims } from "./assertion.js";
import * as providers from "./queries.js";

/**
 * The person whom an identity provider vouches for, inside the transaction of the sign-in. A newcomer becomes a
 * member as the provider says. Whoever has an account already gets in only if an administrator opened it for single
 * sign-on, by marking the member or by the invite: a provider must not take over what it did not make.
 */
export async function admit(ctx: Ctx, vouched: providers.Row, claims: Claims): Promise<string> {
  const { organization } = vouched;
  const { email } = claims;
  await lockMembers(ctx, organization);
  const provider = await stillTrusted(ctx, vouched);
  await checkDomain(ctx, organization, domainOf(email));
  const known = await accounts.find(ctx, organization, email);
  if (!known) return welcome(ctx, provider, claims);
  if (known.disabled) refuseSignIn("the member is disabled", "member_disabled");
  if (known.sso) return confirmed(ctx, known.id, email);
  if (known.invite === null || known.sso !== null)
    refuseSignIn(
      "the account is not open for single sign-on; an administrator may open it",
      "sso_not_linked",
    );
  await accept(ctx, organization, { ...known, invite: known.invite });
  return confirmed(ctx, known.id, email);
}

/** The provider as it is by now; one that has another certificate or name since did not vouch for anybody. */
async function stillTrusted(ctx: Ctx, { id, certificate, entity_id }: providers.Row): Promise<providers.Row> {
  const row = await providers.findAny(ctx, id);
  if (row?.certificate === certificate && row.entity_id === entity_id) return row;
  refuseSignIn("the identity provider was changed in the meantime", "provider_changed");
}

/** Whoever has a domain has its mailboxes, so what its provider says of an address holds everywhere. */
async function confirmed(ctx: Ctx, person: string, email: string): Promise<string> {
  await users.confirm(ctx, person, email);
  return person;
}

/** A provider is trusted for the domains that its organization has verified, and for no others. */
async function checkDomain(ctx: Ctx, organization: string, domain: string) {
  const standing = await emailDomains.standing(ctx, organization, domain);
  if (standing === "verified") return;
  if (standing === "pending")
    refuseSignIn(
      "the organization has not verified the domain of the address; an administrator may do so",
      "email_domain_not_verified",
    );
  refuseSignIn("the address is in none of the organization's e-mail domains", "outside_email_domains");
}

async function welcome(ctx: Ctx, provider: providers.Row, { email, displayName }: Claims): Promise<string> {
  const { organization, default_role: role, default_team: team } = provider;
  const search_text = `${displayName}\n${email}`.toLowerCase();
  const values = { id: newId(), display_name: displayName, email, email_verified: true, search_text };
  const made = await accounts.insert(ctx, values);
  if (!made) refuseSignIn("the account is just being made by somebody else", "sso_not_linked");
  await admitMember(ctx, { organization, person: made.id, role, sso: true });
  if (team !== null) {
    const joined = { id: team, organization };
    await enroll(ctx, joined, [made.id], { path: () => "defaultTeam" });
    await emitTeamChanged(ctx, joined);
    await auditTeam(ctx, "team.members.add", joined, { user: made.id, role: null });
  }
  return made.id;
}

/**
 * Accepts the invite for single sign-on as the person for whom it is. Whoever held a token of an account that nobody
 * had confirmed need not be that person, and does not come in with them.
 */
async function accept(ctx: Ctx, organization: string, known: Invited) {
  const caller = { kind: "user" as const, id: known.id, name: known.name, teams: [], token: "" };
  const own = { ...ctx, caller: { ...caller, organizations: {} } };
  await tokens.revokeInvited(ctx, [known.invite]);
  await acceptVouched({ ctx: own, input: { organizationId: organization, inviteId: known.invite } });
  if (!known.confirmed) await tokens.revokeReaching(ctx, known.id, organization);
  await accounts.markMember(ctx, organization, known.id);
}

interface Invited {
  id: string;
  name: string;
  confirmed: boolean;
  invite: string;
}

function refuseSignIn(what: string, reason: string): never {
  refuse("FORBIDDEN", `Sign-in: ${what}`, { reason });
}
