import { newBearer } from "@octavo/shared/bearer";
import { newId } from "@octavo/shared/ids";
import { operationsOf } from "@octavo/shared/rest/routes";
import { startDns } from "@octavo/shared/testing/dns";
import { afterAll, beforeAll, expect, test } from "vitest";
import { targetOf } from "./admission/target.js";
import { codeIn, startSmtp } from "./mail/testing-smtp.js";
import { router } from "./router.js";
import { startOrgs } from "./testing/orgs.js";

let dns: Awaited<ReturnType<typeof startDns>>;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let home: Awaited<ReturnType<typeof startOrgs>>;
beforeAll(async () => {
  dns = await startDns();
  smtp = await startSmtp();
  home = await startOrgs({ dnsServers: [dns.server], smtpUrl: smtp.url });
});
afterAll(() => Promise.all([home.end(), dns.close(), smtp.close()]));

interface Written {
  action: string;
  target: string;
  /** The organization of the caller by default; null for what concerns none. */
  organization?: string | null;
  /** The administrator by default. */
  actor?: string;
}

/** Every write, done once by an administrator in an organization of its own; returns what it was done to. */
const writes: Record<string, (acme: Acme) => Promise<Written>> = {
  "organizations.create": async ({ call }) => {
    const { id } = await call.organizations.create({ title: "New" });
    return { organization: id, action: "organization.create", target: id };
  },
  "organizations.update": async ({ call, organizationId }) => {
    await call.organizations.update({ organizationId, title: "Renamed" });
    return { action: "organization.update", target: organizationId };
  },
  "emailDomains.verify": async ({ call, organizationId }) => {
    const emailDomain = "verify.example";
    await call.organizations.update({ organizationId, emailDomains: [emailDomain] });
    dns.records.set(`_octavo.${emailDomain}`, [`octavo-verification=${organizationId}`]);
    await call.emailDomains.verify({ organizationId, emailDomain });
    return { action: "email-domain.verify", target: emailDomain };
  },
  "members.update": async ({ call, organizationId, member }) => {
    await call.members.update({ organizationId, userId: member, role: "edit" });
    return { action: "member.update", target: member };
  },
  "members.remove": async ({ call, organizationId, member }) => {
    await call.members.remove({ organizationId, userId: member });
    return { action: "member.remove", target: member };
  },
  "teams.create": async ({ call, organizationId }) => {
    const { id } = await call.teams.create({ organizationId, title: "Writers" });
    return { action: "team.create", target: id };
  },
  "teams.update": async ({ call, organizationId, teamId }) => {
    await call.teams.update({ organizationId, teamId, title: "Editors" });
    return { action: "team.update", target: teamId };
  },
  "teams.remove": async ({ call, organizationId, teamId }) => {
    await call.teams.remove({ organizationId, teamId });
    return { action: "team.delete", target: teamId };
  },
  "teamMembers.update": async ({ call, organizationId, teamId, member }) => {
    await call.teamMembers.update({ organizationId, teamId, add: [member] });
    return { action: "team.members.update", target: teamId };
  },
  "teamMembers.add": async ({ call, organizationId, teamId, member }) => {
    await call.teamMembers.add({ organizationId, teamId, userId: member });
    return { action: "team.members.add", target: teamId };
  },
  "teamMembers.remove": async ({ call, organizationId, teamId, member }) => {
    await call.teamMembers.add({ organizationId, teamId, userId: member });
    await call.teamMembers.remove({ organizationId, teamId, userId: member });
    return { action: "team.members.remove", target: teamId };
  },
  "members.enableSso": async ({ call, organizationId, member }) => {
    await call.members.enableSso({ organizationId, userId: member });
    return { action: "member.trust", target: member };
  },
  "invites.send": async ({ call, organizationId }) => {
    await call.invites.send({ organizationId, emails: [`${newId()}@example.com`] });
    return { action: "invite.create", target: await onlyInvite(organizationId) };
  },
  "invites.revoke": async ({ call, organizationId }) => {
    await call.invites.send({ organizationId, emails: [`${newId()}@example.com`] });
    const { items } = await call.invites.list({ organizationId, limit: 1 });
    const target = await onlyInvite(organizationId);
    await call.invites.revoke({ organizationId, inviteId: items[0]!.id });
    return { action: "invite.revoke", target };
  },
  "invites.accept": async ({ call, organizationId }) => {
    const { id: inviteId } = await call.linkInvites.create({ organizationId, role: "read" });
    const guest = await home.as();
    await guest.call.invites.accept({ organizationId, inviteId });
    return { action: "invite.accept", target: await onlyInvite(organizationId), actor: guest.id };
  },
  "invites.join": async ({ call, organizationId }) => {
    await call.organizations.update({ organizationId, emailDomains: ["example.com"] });
    await home.rows.verifiedDomains(organizationId, "example.com");
    const guest = await home.as();
    await guest.call.invites.join({ organizationId });
    return { action: "member.add", target: guest.id, actor: guest.id };
  },
  "linkInvites.create": async ({ call, organizationId }) => {
    await call.linkInvites.create({ organizationId, role: "read" });
    return { action: "invite.link.create", target: await onlyInvite(organizationId) };
  },
  "linkInvites.update": async ({ call, organizationId }) => {
    const { id: inviteId } = await call.linkInvites.create({ organizationId, role: "read" });
    await call.linkInvites.update({ organizationId, inviteId, role: "edit" });
    return { action: "invite.link.update", target: await onlyInvite(organizationId) };
  },
  "linkInvites.remove": async ({ call, organizationId }) => {
    const { id: inviteId } = await call.linkInvites.create({ organizationId, role: "read" });
    const target = await onlyInvite(organizationId);
    await call.linkInvites.remove({ organizationId, inviteId });
    return { action: "invite.link.delete", target };
  },
  "saml.create": async ({ call, organizationId }) => {
    const { id } = await call.saml.create({ organizationId, label: "Acme" });
    return { action: "saml.create", target: id };
  },
  "saml.update": async ({ call, organizationId }) => {
    const { id } = await call.saml.create({ organizationId, label: "Acme" });
    await call.saml.update({ organizationId, samlProviderId: id, label: "Other" });
    return { action: "saml.update", target: id };
  },
  "saml.remove": async ({ call, organizationId }) => {
    const { id } = await call.saml.create({ organizationId, label: "Acme" });
    await call.saml.remove({ organizationId, samlProviderId: id });
    return { action: "saml.delete", target: id };
  },
  "users.update": async ({ call, id: userId }) => {
    await call.users.update({ userId, displayName: "Countess" });
    return { action: "user.update", target: userId, organization: null };
  },
  "emailVerification.send": async ({ organizationId }) => {
    const { id, call } = await unconfirmed(organizationId);
    await call.emailVerification.send({});
    return { organization: null, action: "user.email.sendCode", target: id, actor: id };
  },
  "emailVerification.confirm": async ({ organizationId }) => {
    const { id, call } = await unconfirmed(organizationId);
    const { email } = await call.emailVerification.send({});
    await call.emailVerification.confirm({ code: codeIn(await smtp.letterTo(email)) });
    return { organization: null, action: "user.email.verify", target: id, actor: id };
  },
  "tokens.create": async ({ call }) => {
    const { id } = await call.tokens.create({ label: "CI" });
    return { action: "token.create", target: id, organization: null };
  },
  "tokens.revoke": async ({ call }) => {
    const { id: tokenId } = await call.tokens.create({ label: "CI" });
    await call.tokens.revoke({ tokenId });
    return { action: "token.revoke", target: tokenId, organization: null };
  },
  "tokens.createForMember": async ({ call, organizationId, member }) => {
    const { id } = await call.tokens.createForMember({ organizationId, userId: member, label: "CI" });
    return { action: "token.create", target: id };
  },
  "tokens.revokeOfMember": async ({ call, organizationId, member: userId }) => {
    const { id: tokenId } = await call.tokens.createForMember({ organizationId, userId, label: "CI" });
    await call.tokens.revokeOfMember({ organizationId, userId, tokenId });
    return { action: "token.revoke", target: tokenId };
  },
  "serviceAccounts.create": async ({ call, organizationId }) => {
    const { id } = await call.serviceAccounts.create({ organizationId, title: "CI", role: "edit" });
    return { action: "service-account.create", target: id };
  },
  "serviceAccounts.update": async ({ call, organizationId }) => {
    const { id } = await call.serviceAccounts.create({ organizationId, title: "CI", role: "edit" });
    await call.serviceAccounts.update({ organizationId, serviceAccountId: id, title: "Deploys" });
    return { action: "service-account.update", target: id };
  },
  "serviceAccounts.remove": async ({ call, organizationId }) => {
    const { id } = await call.serviceAccounts.create({ organizationId, title: "CI", role: "edit" });
    await call.serviceAccounts.remove({ organizationId, serviceAccountId: id });
    return { action: "service-account.delete", target: id };
  },
};

/** Mutations that change nothing worth a record. */
const SILENT = new Set(["members.ping"]);

type Acme = Awaited<ReturnType<typeof acme>>;

/** An organization with an administrator, another member and a team. */
async function acme() {
  const organizationId = await home.rows.organization();
  const member = await home.rows.member({ organization: organizationId });
  const teamId = await home.rows.team(organizationId);
  return { ...(await home.as({ [organizationId]: "admin" })), organizationId, member, teamId };
}

/** A member whose address nobody has confirmed. */
async function unconfirmed(organization: string) {
  const member = await home.as({ [organization]: "read" });
  await home.db.updateTable("person").set({ email_verified: false }).where("id", "=", member.id).execute();
  return member;
}

/** The one invite there is, as the audit names it. */
async function onlyInvite(organization: string) {
  const query = home.db.selectFrom("invite").select("id").where("organization", "=", organization);
  return targetOf(await query.executeTakeFirstOrThrow()).id;
}

const operations = operationsOf(router).filter(({ type, name }) => type === "mutation" && !SILENT.has(name));
/** Also those that are no operations, but what other services call. */
const mutations = new Set([...operations.map(({ name }) => name), ...Object.keys(writes)]);

test.each([...mutations])("%s leaves one audit event", async (name) => {
  const write = writes[name];
  if (!write)
    throw new Error(`${name} is not in the table of writes: record it with audit(), and add it here`);
  const admin = await acme();
  const { organization = admin.organizationId, actor = admin.id, action, target } = await write(admin);
  const recorded = await home.db
    .selectFrom("audit_event")
    .select(["id", "service", "organization", "target", "actor_type", "actor"])
    .where("action", "=", action)
    .where("target", "=", target)
    .execute();
  const [{ id } = { id: "" }] = recorded;
  expect(recorded).toEqual([{ id, service: "orgs", organization, target, actor_type: "user", actor }]);
  const readers = organization ?? admin.organizationId;
  const { items } = await (await home.as({ [readers]: "admin" })).call.auditEvents.list({
    organizationId: readers,
    action,
    target,
  });
  expect(items.map((item) => item.id)).toEqual(organization === null ? [] : [id]);
});

test("bootstrap.ensure records the organization, its administrator and the id of the token", async () => {
  const token = newBearer();
  const { organization, user } = await home.launcher.call.bootstrap.ensure({
    token,
    organization: { title: "First" },
    user: { displayName: "Ada", email: `${newId()}@example.com` },
  });
  const rows = await home.db
    .selectFrom("audit_event")
    .selectAll()
    .where("organization", "=", organization)
    .orderBy("action")
    .execute();
  expect(rows.map(({ action, actor }) => [action, actor])).toEqual([
    ["member.add", "launcher"],
    ["organization.create", "launcher"],
    ["token.create", "launcher"],
  ]);
  expect(rows[2]!.details).toEqual({ user, label: "First administrator" });
  expect(JSON.stringify(rows)).not.toContain(token);
});
