// Users, organizations and who belongs to them.

import { choice, flag, id, list, long, none, type Operation, or, paged, text, url } from "./operation.js";

const settings = {
  title: text(255, 2),
  emailDomains: list("no domain", 1),
  hostname: ["x", "-no-", "has space", 1, null, long(33)],
  defaultRole: or(choice),
  defaultContent: [1, "x", { type: "nonsense" }, { type: "site" }],
  logo: or(url).filter((value) => value !== "javascript:alert(1)"),
  sso: flag,
  ai: flag,
  inviteLinks: flag,
};
const saml = {
  entityID: text(1024),
  certificate: [...text(10_000), "no certificate"],
  ssoURL: url,
  defaultTeam: [...id, "unknown"],
  defaultRole: or(choice),
};

const token: Operation = {
  body: {
    label: text(50, 1),
    scopes: [...list("nonsense", 1), []],
    expiresAt: [1, null, "tomorrow", "2020-01-01T00:00:00Z"],
  },
  good: { label: "Another" },
};
export const orgs: Record<string, Operation> = {
  "GET /orgs": paged,
  "POST /orgs": {
    body: { ...settings, type: choice, useCase: choice, communityType: choice },
    good: { title: "Another" },
  },
  "GET /orgs/{organizationId}": {},
  "PATCH /orgs/{organizationId}": { body: settings },
  "GET /orgs/{organizationId}/members": {
    ...paged,
    query: { role: ["owner", ""], order: ["up"], sort: ["name"], search: [long(513)] },
  },
  "GET /orgs/{organizationId}/members/{userId}": {},
  "PATCH /orgs/{organizationId}/members/{userId}": { body: { role: or(choice) } },
  "DELETE /orgs/{organizationId}/members/{userId}": {},
  "GET /orgs/{organizationId}/members/{userId}/spaces": { ...paged, query: { order: ["up"] } },
  "GET /orgs/{organizationId}/audit-events": {
    ...paged,
    query: {
      actor: ["", long(101)],
      action: ["", long(101)],
      target: ["", long(101)],
      targetType: ["", long(101)],
      from: ["yesterday", "2026-02-30T00:00:00Z"],
      to: ["tomorrow", ""],
    },
  },
  "GET /orgs/{organizationId}/audit-events/{auditEventId}": {},
  "GET /orgs/{organizationId}/members/{userId}/teams": { ...paged, query: { title: [long(65)] } },
  "GET /orgs/{organizationId}/teams": { ...paged, query: { owner: ["", long(101)], title: [long(65)] } },
  "PUT /orgs/{organizationId}/teams": {
    body: { title: text(64, 1), members: list("", 1, "unknown") },
    good: { title: "Another" },
  },
  "GET /orgs/{organizationId}/teams/{teamId}": {},
  "PATCH /orgs/{organizationId}/teams/{teamId}": { body: { title: text(64, 1) }, good: { title: "Another" } },
  "DELETE /orgs/{organizationId}/teams/{teamId}": {},
  "GET /orgs/{organizationId}/teams/{teamId}/members": paged,
  "PUT /orgs/{organizationId}/teams/{teamId}/members": {
    body: {
      add: list("", 1, "unknown"),
      memberships: [1, "x", null, [], { unknown: { role: "owner" } }, { unknown: { role: "admin" } }],
      remove: list("", 1),
    },
  },
  "PUT /orgs/{organizationId}/teams/{teamId}/members/{userId}": { body: { role: choice } },
  "DELETE /orgs/{organizationId}/teams/{teamId}/members/{userId}": {},
  "POST /orgs/{organizationId}/members/{userId}/sso": none,
  "POST /orgs/{organizationId}/ping": none,
  "GET /orgs/{organizationId}/members/{userId}/tokens": paged,
  "POST /orgs/{organizationId}/members/{userId}/tokens": token,
  "GET /orgs/{organizationId}/members/{userId}/tokens/{tokenId}": {},
  "DELETE /orgs/{organizationId}/members/{userId}/tokens/{tokenId}": {},
  "GET /orgs/{organizationId}/service-accounts": paged,
  "POST /orgs/{organizationId}/service-accounts": {
    body: { title: text(64, 1), role: or(choice) },
    good: { title: "Another", role: "read" },
  },
  "GET /orgs/{organizationId}/service-accounts/{serviceAccountId}": {},
  "PATCH /orgs/{organizationId}/service-accounts/{serviceAccountId}": {
    body: { title: text(64, 1), role: or(choice) },
  },
  "DELETE /orgs/{organizationId}/service-accounts/{serviceAccountId}": {},
  "GET /orgs/{organizationId}/invites": paged,
  "POST /orgs/{organizationId}/invites": {
    body: {
      emails: [...list("nobody", 1, { email: "a@example.com" }), []],
      role: or(choice),
      sso: flag,
    },
    good: { emails: ["somebody@example.com"] },
  },
  "POST /orgs/{organizationId}/invites/{inviteId}": none,
  "DELETE /orgs/{organizationId}/invites/{inviteId}": {},
  "POST /orgs/{organizationId}/join": none,
  "GET /orgs/{organizationId}/link-invites": { ...paged, query: { space: [""], collection: [long(101)] } },
  "POST /orgs/{organizationId}/link-invites": {
    body: { role: or(choice), level: or(choice), space: id, collection: id },
    good: { role: "read" },
  },
  "GET /orgs/{organizationId}/link-invites/{inviteId}": {},
  "PATCH /orgs/{organizationId}/link-invites/{inviteId}": { body: { role: or(choice), level: or(choice) } },
  "DELETE /orgs/{organizationId}/link-invites/{inviteId}": {},
  "GET /email-domains/{emailDomain}/orgs": { open: true, creates: "emailDomain" },
  "GET /subdomains/{subdomain}": { open: true },
  "GET /orgs/{organizationId}/saml": paged,
  "POST /orgs/{organizationId}/saml": { body: { label: text(30, 1), ...saml }, good: { label: "Another" } },
  "GET /orgs/{organizationId}/saml/{samlProviderId}": {},
  "PATCH /orgs/{organizationId}/saml/{samlProviderId}": { body: { label: text(30, 1), ...saml } },
  "DELETE /orgs/{organizationId}/saml/{samlProviderId}": {},
  "GET /orgs/{organizationId}/sso": {},
  "GET /sso/saml/{samlProviderId}/metadata": {},
  "GET /sso/saml/{samlProviderId}/start": {},
  "POST /sso/saml/{samlProviderId}/acs": { form: true },
  "POST /sso/exchange": { body: { code: [1, null, true, {}, ["x"], "unknown"] } },
  "GET /users/{userId}": {},
  "PATCH /users/{userId}": { body: { displayName: text(64, 1), photoURL: url } },
  "GET /user": {},
  "GET /user/tokens": paged,
  "POST /user/tokens": token,
  "GET /user/tokens/{tokenId}": {},
  "DELETE /user/tokens/{tokenId}": {},
};
