// Invites to addresses, as they are made and sent.

import type { Role } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import type { z } from "zod";
import { audit } from "../audit.js";
import * as members from "../members/rules.js";
import { NEEDS } from "../organizations/permissions.js";
import * as organizations from "../organizations/rules.js";
import * as tokens from "../tokens/rules.js";
import type { Call, Ctx } from "../trpc.js";
import * as users from "../users/rules.js";
import { admits, isExpired } from "./admission.js";
import { newInviteCode } from "./letter.js";
import { mail, refuseFlood } from "./mailing.js";
import * as queries from "./queries.js";
import type { Send } from "./schema.js";
import { targetOf } from "./target.js";
import { urlOf } from "./view.js";

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
