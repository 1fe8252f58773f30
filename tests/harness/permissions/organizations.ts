import { newAccount, newLink, newProvider, newTeam, newToken } from "./fresh.js";
import { account, anybody, here, link, member, on, one, org, provider, type Table } from "./permission.js";

const UNKNOWN = { userId: "unknown", teamId: "unknown", inviteId: "unknown" };

export const organizations: Table = {
  "GET /orgs": anybody,
  "POST /orgs": { ...anybody, last: true },
  [`GET ${org}`]: member,
  [`PATCH ${org}`]: here("admin"),
  [`POST ${org}/ping`]: member,
  "GET /subdomains/{subdomain}": anybody,
  "GET /email-domains/{emailDomain}/orgs": anybody,
  "GET /user": anybody,
  "GET /users/{userId}": { ...on("read"), own: "anybody" },
  "PATCH /users/{userId}": { needs: "themselves", own: "anybody" },
  "GET /user/email/verification": anybody,
  // The stack has no mail.
  "POST /user/email/verification": { ...anybody, allowed: 501 },
  "POST /user/email/verification/confirm": { ...anybody, allowed: 501 },
  "GET /user/tokens": anybody,
  "POST /user/tokens": anybody,
  // Of somebody else.
  "GET /user/tokens/{tokenId}": { ...anybody, allowed: 404 },
  "DELETE /user/tokens/{tokenId}": anybody,
  [`GET ${org}/audit-events`]: here("admin"),
  [`GET ${org}/audit-events/{auditEventId}`]: here("admin"),
};

export const members: Table = {
  [`GET ${org}/members`]: here("read"),
  [`GET ${one.member}`]: { ...here("read"), own: "guest" },
  [`PATCH ${one.member}`]: here("admin"),
  [`DELETE ${one.member}`]: { ...here("admin"), ids: UNKNOWN },
  [`POST ${one.member}/sso`]: here("admin"),
  [`GET ${one.member}/teams`]: { ...here("read"), own: "guest" },
  [`GET ${one.member}/spaces`]: { ...here("admin"), own: "guest" },
  [`GET ${org}/teams`]: here("read"),
  [`PUT ${org}/teams`]: here("admin"),
  [`GET ${one.team}`]: here("read"),
  [`PATCH ${one.team}`]: here("admin"),
  [`DELETE ${one.team}`]: { ...here("admin"), fresh: newTeam },
  [`GET ${one.team}/members`]: here("read"),
  [`PUT ${one.team}/members`]: here("admin"),
  [`PUT ${one.team}/members/{userId}`]: here("admin"),
  [`DELETE ${one.team}/members/{userId}`]: here("admin"),
  [`GET ${org}/invites`]: here("admin"),
  [`POST ${org}/invites`]: here("admin"),
  [`DELETE ${org}/invites/{inviteId}`]: { ...here("admin"), ids: UNKNOWN },
  // An id that was given to nobody.
  [`POST ${org}/invites/{inviteId}`]: { ...anybody, ids: UNKNOWN, allowed: 404 },
  // Who is in it already.
  [`POST ${org}/join`]: { ...member, allowed: 409 },
  [`GET ${org}/link-invites`]: here("admin"),
  [`POST ${org}/link-invites`]: here("admin"),
  [`GET ${link}`]: { ...here("admin"), fresh: newLink },
  [`PATCH ${link}`]: { ...here("admin"), fresh: newLink, body: () => ({ role: "read" }) },
  [`DELETE ${link}`]: { ...here("admin"), fresh: newLink },
  [`GET ${org}/email-domains`]: here("admin"),
  [`GET ${org}/email-domains/{emailDomain}`]: here("admin"),
  // Its DNS says nothing of it.
  [`POST ${org}/email-domains/{emailDomain}/verify`]: { ...here("admin"), allowed: 409 },
  [`GET ${org}/sso`]: member,
  [`GET ${org}/saml`]: here("admin"),
  [`POST ${org}/saml`]: { ...here("admin"), body: () => ({ label: "Another" }) },
  [`GET ${provider}`]: { ...here("admin"), fresh: newProvider },
  [`PATCH ${provider}`]: { ...here("admin"), fresh: newProvider },
  [`DELETE ${provider}`]: { ...here("admin"), fresh: newProvider },
  [`GET ${org}/service-accounts`]: here("admin"),
  [`POST ${org}/service-accounts`]: here("admin"),
  [`GET ${account}`]: { ...here("admin"), fresh: newAccount },
  [`PATCH ${account}`]: { ...here("admin"), fresh: newAccount },
  [`DELETE ${account}`]: { ...here("admin"), fresh: newAccount },
  [`GET ${one.member}/tokens`]: here("admin"),
  [`POST ${one.member}/tokens`]: here("admin"),
  [`GET ${one.member}/tokens/{tokenId}`]: { ...here("admin"), fresh: newToken },
  [`DELETE ${one.member}/tokens/{tokenId}`]: { ...here("admin"), fresh: newToken },
};
