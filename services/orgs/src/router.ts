import { emailVerification } from "./accounts/email-verification/router.js";
import { tokens } from "./accounts/tokens/router.js";
import { users } from "./accounts/users/router.js";
import { auditEvents } from "./audit-events/router.js";
import { invites } from "./membership/invites/router.js";
import { linkInvites } from "./membership/link-invites/router.js";
import { members } from "./membership/members/router.js";
import { memberships } from "./membership/memberships/router.js";
import { serviceAccounts } from "./membership/service-accounts/router.js";
import { siteGrants } from "./membership/site-grants/router.js";
import { teamMembers } from "./membership/team-members/router.js";
import { teams } from "./membership/teams/router.js";
import { emailDomains } from "./organization/email-domains/router.js";
import { organizations } from "./organization/organizations/router.js";
import { subdomains } from "./organization/subdomains/router.js";
import { bootstrap } from "./sign-in/bootstrap/router.js";
import { saml } from "./sign-in/saml/router.js";
import { SIGN_IN } from "./sign-in/saml/routes.js";
import { router as mount } from "./trpc.js";

export const router = mount({
  organizations,
  emailDomains,
  members,
  memberships,
  teams,
  teamMembers,
  siteGrants,
  invites,
  linkInvites,
  saml,
  users,
  emailVerification,
  subdomains,
  serviceAccounts,
  tokens,
  auditEvents,
  bootstrap,
});
export type OrgsRouter = typeof router;

/** Routes that are served without a token. */
export const rawRoutes = SIGN_IN;
