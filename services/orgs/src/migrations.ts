import * as orgs from "./migrations/0001-orgs.js";
import * as teams from "./migrations/0002-teams.js";
import * as invites from "./migrations/0003-invites.js";
import * as audit from "./migrations/0004-audit.js";
import * as saml from "./migrations/0005-saml.js";
import * as serviceAccounts from "./migrations/0006-service-accounts.js";
import * as grantedSpaces from "./migrations/0007-granted-spaces.js";
import * as visitorAuth from "./migrations/0008-visitor-auth.js";
import * as inviteTokens from "./migrations/0009-invite-tokens.js";
import * as verifiedDomains from "./migrations/0010-verified-domains.js";
import * as tokenMakers from "./migrations/0011-token-makers.js";
import * as sites from "./migrations/0012-sites.js";
import * as tokenDescent from "./migrations/0013-token-descent.js";
import * as departures from "./migrations/0014-departures.js";
import * as signedEvents from "./migrations/0015-signed-events.js";

/** Applied in order of their names; forward only. */
export const migrations = {
  "0001-orgs": orgs,
  "0002-teams": teams,
  "0003-invites": invites,
  "0004-audit": audit,
  "0005-saml": saml,
  "0006-service-accounts": serviceAccounts,
  "0007-granted-spaces": grantedSpaces,
  "0008-visitor-auth": visitorAuth,
  "0009-invite-tokens": inviteTokens,
  "0010-verified-domains": verifiedDomains,
  "0011-token-makers": tokenMakers,
  "0012-sites": sites,
  "0013-token-descent": tokenDescent,
  "0014-departures": departures,
  "0015-signed-events": signedEvents,
};
