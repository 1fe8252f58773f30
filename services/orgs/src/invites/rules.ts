// An invite brings somebody into an organization: one for an address, once, or a link for whoever has it.

import { type Role, userOf } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { InviteAccepted } from "@octavo/shared/events/catalogue/orgs";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import type { z } from "zod";
import { enter, personal } from "../access.js";
import { audit } from "../audit.js";
import * as emailDomains from "../email-domains/rules.js";
import * as members from "../members/rules.js";
import { NEEDS } from "../organizations/permissions.js";
import * as organizations from "../organizations/rules.js";
import * as tokens from "../tokens/rules.js";
import type { Call, Ctx } from "../trpc.js";
import * as users from "../users/rules.js";
import { admits, isOfDomains, refuseOutside } from "./admission.js";
import { end } from "./ending.js";
import { newInviteCode } from "./letter.js";
import { mail, refuseFlood } from "./mailing.js";
import * as queries from "./queries.js";
import type { Accept, Join, List, Revoke, Send } from "./schema.js";
import { targetOf } from "./target.js";
import { urlOf, view } from "./view.js";

const LIFETIME_MS = 14 * 24 * 3_600_000;

/**
 * Invites people by their addresses, all or nobody. 400 for an address that is named twice or lies outside the
 * organization's domains, 409 for one that is invited or a member already, 429 for too many letters. Invited for single
 * sign-on, addresses outside the domains are left out and told instead. Where there is mail, the invites go out by it, and
 * who invites sees neither code nor token.
 */
export function send({ ctx, input }: Call<typeof Send>) {
  const { organizationId: id, sso } = input;
  return transact(ctx, async (ctx) => {
    await members.enterInTurn(ctx, id, NEEDS.admin);
    const organization = await organizations.load(ctx, id);
    const all = addressesOf(input, organization.default_role);
    refuseAny("BAD_REQUEST", "is named twice", twice(all));
    const outside = all.filter(
      ({ email }) => !(admits(organization, email) && (!sso || organization.email_domains.length > 0)),
    );
    if (!sso) refuseAny("BAD_REQUEST", "is in none of the organization's e-mail domains", outside);
    const invited = all.filter((address) => !outside.includes(address));
    await refuseKnown(ctx, id, invited);
    await refuseFlood(ctx, id, invited.length);
    const sent = [];
    for (const address of invited) sent.push(await invite(ctx, organization, { ...address, sso }));
    const made = sent.flatMap(({ email, token }) => (token ? [[email, token]] : []));
    return {
      users: sent.map(({ user }) => user),
      invited: sent.length,
      failedSSOEmails: sso ? outside.map(({ email }) => email) : undefined,
      urls: Object.fromEntries(sent.map(({ email, url }) => [email, url])),
      tokens: made.length > 0 ? Object.fromEntries(made) : undefined,
    };
  });
}

/** The invites to addresses that nobody has used yet. */
export async function list({ ctx, input }: Call<typeof List>) {
  await enter(ctx, input.organizationId, NEEDS.admin);
  return paginate({
    query: queries.list(ctx, input.organizationId),
    input,
    view: (rows) => rows.map(view(ctx)),
  });
}

/** The invite, the token that came with it and those made with that are worth nothing from now on. */
export function revoke({ ctx, input: { organizationId: organization, inviteId } }: Call<typeof Revoke>) {
  return transact(ctx, async (ctx) => {
    await members.enterInTurn(ctx, organization, NEEDS.admin);
    const row = await queries.find(ctx, organization, inviteId);
    if (row && row.email !== null) await end(ctx, row);
  });
}

/** The content that an invite leads to; null for one to the organization, and for none at all. */
export async function target({ ctx, input: { organizationId, inviteId } }: Call<typeof Accept>) {
  const { target: id, target_type: type } = (await queries.find(ctx, organizationId, inviteId)) ?? {};
  return id && type ? { type, id } : null;
}

/** Accepts an invite to one's own address, or by a link. 409 for who is a member and would be granted nothing. */
export function accept({ ctx, input }: Call<typeof Accept>) {
  return transact(ctx, async (ctx) => {
    await invitee(ctx, input.organizationId);
    return acceptVouched({ ctx, input });
  });
}

/** Accepts an invite as a caller without a token, whom a code or an identity provider has vouched for. */
export function acceptVouched({ ctx, input: { organizationId: id, inviteId } }: Call<typeof Accept>) {
  return transact(ctx, async (ctx) => {
    await members.takeTurns(ctx, id);
    const { id: person, token } = userOf(ctx);
    const waited = await queries.waitsFor(ctx, id, token);
    const account = await users.account(ctx, person);
    const invite = found(await queries.find(ctx, id, inviteId), "Invite");
    await (invite.email === null ? admitLink(ctx, invite, account) : admitAddress(ctx, invite, account));
    // By a link, the invite whose token was used for it has served as well: without that token nobody could go on.
    const used = invite.email === null ? waited : invite;
    await redeem(ctx, invite, account.id, used?.id);
    if (used) {
      await tokens.bindInvited(ctx, used);
      await queries.remove(ctx, used.id);
    }
    await audit(ctx, { organization: id, action: "invite.accept", target: targetOf(invite) });
    return {};
  });
}

/** The caller acting for themselves, or with a token that waits with an invite to this organization. */
async function invitee(ctx: Ctx, organization: string): Promise<void> {
  if (!(await queries.waitsFor(ctx, organization, userOf(ctx).token))) await personal(ctx);
}

/** Joins as a guest by the domain of one's confirmed address, which the organization has verified; other organizations are not there to be joined. */
export function join({ ctx, input: { organizationId: id } }: Call<typeof Join>) {
  return transact(ctx, async (ctx) => {
    const account = await users.account(ctx, (await personal(ctx)).id);
    const organization = await organizations.load(ctx, id);
    await members.takeTurns(ctx, id);
    if (await members.isMember(ctx, id, account.id)) alreadyMember();
    if (!isOfDomains(await emailDomains.verified(ctx, organization.id), account)) {
      refuse("NOT_FOUND", "Organization: not found among those of your e-mail address's domain", {
        reason: "outside_email_domains",
      });
    }
    await members.admit(ctx, { organization: id, person: account.id, role: null });
  });
}

interface Address {
  email: string;
  role: Role | null;
  /** Where it stands in the request. */
  path: string;
}

function addressesOf({ emails, role: common }: z.output<typeof Send>, standard: Role | null): Address[] {
  const role = common === undefined ? standard : common;
  return emails.map((item, index) => {
    const path = `body.emails.${index}`;
    return typeof item === "string" ? { email: item, role, path } : { ...item, path };
  });
}

const twice = (all: Address[]) =>
  all.filter(({ email }, index) => all.findIndex((other) => other.email === email) < index);

function refuseAny(code: "BAD_REQUEST" | "CONFLICT", message: string, which: Address[], reason?: string) {
  if (which.length === 0) return;
  const issues = which.map(({ path }) => ({ path, message }));
  refuse(code, issues.map(({ path }) => `${path}: ${message}`).join("; "), { issues, reason });
}

/** An invite that nobody used in time makes room for another. */
async function refuseKnown(ctx: Ctx, organization: string, all: Address[]) {
  const emails = all.map(({ email }) => email);
  const joined = new Set(await queries.joined(ctx, organization, emails));
  const areIn = all.filter(({ email }) => joined.has(email));
  refuseAny("CONFLICT", "is a member already", areIn, "already_member");
  const pending = new Set<string>();
  for (const row of await queries.pending(ctx, organization, emails)) {
    if (isExpired(ctx, row)) await queries.remove(ctx, row.id);
    else pending.add(row.email ?? "");
  }
  const areInvited = all.filter(({ email }) => pending.has(email));
  refuseAny("CONFLICT", "is invited already", areInvited, "already_invited");
}

async function invite(ctx: Ctx, { id: organization, title }: Inviting, to: Address & { sso: boolean }) {
  const { email, role, sso, path } = to;
  const expires_at = new Date(ctx.clock().getTime() + LIFETIME_MS).toISOString();
  const { user: person, tokenless } = await users.invited(ctx, email);
  const { code, secret } = ctx.mailer && !sso ? newInviteCode() : {};
  const row = { id: newId(), organization, email, role, sso, expires_at, secret };
  await queries.insert(ctx, { ...row, invited_by: ctx.caller.kind === "user" ? ctx.caller.id : null });
  const token = { person, label: "Invite", expires_at, invite: row.id };
  const made = tokenless && !ctx.mailer ? await tokens.issue(ctx, token) : undefined;
  const details = { email, role, sso, token: made?.id ?? null };
  await audit(ctx, { organization, action: "invite.create", target: targetOf(row), details });
  const url = urlOf(ctx, row);
  await mail(ctx, { person, email, path, title, url, code, expiresAt: expires_at });
  return { email, user: person, url, token: made?.token };
}

type Inviting = Pick<Awaited<ReturnType<typeof organizations.load>>, "id" | "title">;

export const isExpired = ({ clock }: Ctx, { expires_at }: queries.Row) =>
  expires_at !== null && Date.parse(expires_at) <= clock().getTime();

async function admitAddress(ctx: Ctx, invite: queries.Row, { id, email }: users.Account) {
  if (email !== invite.email) refuse("NOT_FOUND", "Invite: not found for your e-mail address");
  if (isExpired(ctx, invite)) refuse("FORBIDDEN", "Invite: has expired", { reason: "invite_expired" });
  if (await members.isMember(ctx, invite.organization, id)) alreadyMember();
}

async function admitLink(ctx: Ctx, invite: queries.Row, account: users.Account) {
  const organization = await organizations.load(ctx, invite.organization);
  if (!organization.invite_links) {
    refuse("FORBIDDEN", "Invite: the organization does not let links invite", { reason: "invite_links_off" });
  }
  if (await members.isMember(ctx, organization.id, account.id)) {
    if (invite.target === null) alreadyMember();
    return;
  }
  if (await members.departedSince(ctx, organization.id, account.id, invite.created_at)) {
    const what =
      "Invite: the link is older than your removal from the organization, or the change of your role";
    refuse("FORBIDDEN", what, { reason: "removed_since" });
  }
  if (organization.email_domains.length === 0) return;
  if (!isOfDomains(await emailDomains.verified(ctx, organization.id), account)) refuseOutside();
}

/** By a link to content, who is not a member becomes a guest; content grants the level when it hears of it. */
async function redeem(ctx: Ctx, invite: queries.Row, person: string, accepted: string | undefined) {
  const { organization, role, sso, target, target_type: type } = invite;
  if (target === null || type === null) {
    await members.admit(ctx, { organization, person, role, sso, accepted });
    return;
  }
  if (!(await members.isMember(ctx, organization, person))) {
    await members.admit(ctx, { organization, person, role: null, accepted });
  }
  const joinedAt = await members.joinedAt(ctx, organization, person);
  const granted = { organization, user: person, joinedAt, target: { type, id: target }, level: role };
  await emit(ctx, InviteAccepted, organization, granted);
}

function alreadyMember(): never {
  refuse("CONFLICT", "Member: you are a member of the organization already", { reason: "already_member" });
}
