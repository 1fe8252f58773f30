import type { Deed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { requireRoleLocked } from "../../../access/members.js";
import * as tokens from "../../../accounts/tokens/issue.js";
import * as accounts from "../../../accounts/users/accounts.js";
import { met as metAmong } from "../../../accounts/users/rules.js";
import type * as admission from "../../../admission/queries.js";
import { targetOf } from "../../../admission/target.js";
import { audit } from "../../../audit/audit.js";
import * as organizations from "../../../organization/organizations/load.js";
import type { Call, Ctx } from "../../../trpc.js";
import { type Address, addressesOf, refuseAny, refuseKnown, twice } from "../addressees.js";
import { admits } from "../admission.js";
import { newInviteCode } from "../email.js";
import { mail, refuseFlood } from "../mailing.js";
import * as queries from "../queries.js";
import type { Send } from "../schema.js";
import { urlOf } from "../view.js";

// Invites to addresses, as they are made and sent.

const LIFETIME_MS = 14 * 24 * 3_600_000;

/**
 * Invites people by their addresses, all or nobody. 400 for an address that is named twice or lies outside the
 * organization's domains, 403 for who is no administrator, 404 to strangers, 409 for one that is invited or a member
 * already, 429 for too many emails. Invited for single sign-on, addresses outside the domains are left out and reported
 * instead. Where there is mail, the invites go out by it, and who invites sees neither code nor token. Told are the
 * users whom the caller meets in some organization, or is given a token of: nobody learns by an address which account
 * it has, or whether there is one.
 */
export function send({ ctx, input }: Call<typeof Send>) {
  const { organizationId: id, sso } = input;
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, id, "organization.admin");
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
    const sent = await inviteAll(ctx, organization, invited, sso);
    const met = await metAmong(
      ctx,
      sent.map(({ person }) => person),
    );
    const made = sent.flatMap(({ email, token }) => (token ? [[email, token]] : []));
    return {
      users: sent.filter(({ person, token }) => token || met.has(person)).map(({ person }) => person),
      invited: sent.length,
      failedSSOEmails: sso ? outside.map(({ email }) => email) : undefined,
      urls: Object.fromEntries(sent.map(({ email, url }) => [email, url])),
      tokens: made.length > 0 ? Object.fromEntries(made) : undefined,
    };
  });
}

/** Makes and sends the invites; it takes as many statements for a hundred as for one. */
async function inviteAll(ctx: Ctx, { id: organization, title }: Inviting, all: Address[], sso: boolean) {
  if (all.length === 0) return [];
  const emails = all.map(({ email }) => email);
  const users = await accounts.invited(ctx, emails);
  const expires_at = new Date(ctx.clock().getTime() + LIFETIME_MS).toISOString();
  const invited_by = ctx.caller.kind === "user" ? ctx.caller.id : null;
  const drafts = all.map(({ email, role, path }) => {
    const { id: person, tokenless } = found(users.get(email), "User");
    const { code, secret } = ctx.mailer && !sso ? newInviteCode() : {};
    const row = { id: newId(), organization, email, role, sso, expires_at, secret, invited_by };
    return { row, person, tokenless, email, path, code, url: urlOf(ctx, row) };
  });
  const rows = drafts.map(({ row }) => row);
  await queries.insert(ctx, rows);
  await mail(ctx, title, drafts, expires_at);
  const needy = ctx.mailer ? [] : drafts.filter(({ tokenless }) => tokenless);
  const wanted = needy.map(({ row, person }) => ({ person, label: "Invite", expires_at, invite: row.id }));
  const made = new Map((await tokens.issue(ctx, wanted)).map((token) => [token.invite, token]));
  await audit(ctx, ...rows.map((row) => deedOf(row, made.get(row.id)?.id)));
  return drafts.map(({ row, email, person, url }) => ({
    email,
    person,
    url,
    token: made.get(row.id)?.token,
  }));
}

type Inviting = Pick<Awaited<ReturnType<typeof organizations.load>>, "id" | "title">;

function deedOf(
  row: Pick<admission.Row, "id" | "organization" | "email" | "role" | "sso">,
  token?: string,
): Deed {
  const { organization, email, role, sso } = row;
  const details = { email, role, sso, token: token ?? null };
  return { organization, action: "invite.create", target: targetOf(row), details };
}
