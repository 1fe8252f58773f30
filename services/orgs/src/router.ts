import { auditEvents } from "./audit-events/router.js";
import { bootstrap } from "./bootstrap/router.js";
import { emailDomains } from "./email-domains/router.js";
import { emailVerification } from "./email-verification/router.js";
import { invites } from "./invites/router.js";
import { linkInvites } from "./link-invites/router.js";
import { members } from "./members/router.js";
import { memberships } from "./memberships/router.js";
import { organizations } from "./organizations/router.js";
import { saml } from "./saml/router.js";
import { SIGN_IN } from "./saml/routes.js";
import { serviceAccounts } from "./service-accounts/router.js";
import { subdomains } from "./subdomains/router.js";
import { teamMembers } from "./team-members/router.js";
import { teams } from "./teams/router.js";
import { tokens } from "./tokens/router.js";
import { router as mount } from "./trpc.js";
import { users } from "./users/router.js";

export const router = mount({
  organizations,
  emailDomains,
  members,
  memberships,
  teams,
  teamMembers,
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

/** What is answered without a token. */
export const rawRoutes = SIGN_IN;
