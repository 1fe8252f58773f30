import { userOf } from "@octavo/shared/access";
import { roleIn, type UserCaller } from "@octavo/shared/contracts/callers";
import type { Role } from "@octavo/shared/contracts/roles";
import { found, refuse } from "@octavo/shared/errors";
import { IDENTITY_CHANGED_HEADER } from "@octavo/shared/identity";
import { type RawBuilder, sql } from "kysely";
import { type Action, allowIn } from "../permissions.js";
import type { Ctx } from "../trpc.js";

/**
 * Guards by the role in an organization, and returns the context whose caller has it: 403 for a role that does not
 * reach, 404 to strangers. An identity that does not know of the organization may be older than the membership, so the
 * database is asked then; in the common case it is not.
 */
export async function requireRole(ctx: Ctx, organization: string, action: Action): Promise<Ctx> {
  const entered = await withMembership(ctx, organization);
  allowIn(entered, organization, action);
  return entered;
}

/**
 * Guards by the role as it is stored, whatever the identity says: 403 for a role that does not reach, 404 to strangers,
 * 401 for a token that has ended. With the organization's lock held this stays true until the transaction ends; without
 * it, `requireRole` is as good.
 */
export async function requireStoredRole(ctx: Ctx, organization: string, action: Action): Promise<Ctx> {
  const entered = ctx.caller.kind === "user" ? await withStoredRole(ctx, organization, ctx.caller) : ctx;
  allowIn(entered, organization, action);
  return entered;
}

async function withStoredRole(ctx: Ctx, organization: string, caller: UserCaller): Promise<Ctx> {
  const { [organization]: _, ...others } = caller.organizations;
  const member = await membership(ctx, organization, caller);
  const stripped = { ...ctx, caller: { ...caller, organizations: others } };
  // With a token that has ended nothing is reached, which is 401 and not for want of the organization.
  if (!member) await boundTo(ctx);
  return member ? withRoles(stripped, { [organization]: member.role }) : stripped;
}

async function withMembership(ctx: Ctx, organization: string): Promise<Ctx> {
  if (ctx.caller.kind === "service") {
    found(await exists(ctx, organization), "Organization");
    return ctx;
  }
  if (ctx.caller.kind !== "user" || roleIn(ctx.caller, organization) !== undefined) return ctx;
  const member = await membership(ctx, organization, ctx.caller);
  return member ? withRoles(ctx, { [organization]: member.role }) : ctx;
}

/** The context with a caller who has these roles besides. */
export function withRoles(ctx: Ctx, roles: Record<string, Role | null>): Ctx {
  if (ctx.caller.kind !== "user") return ctx;
  const organizations = Object.assign(Object.create(null), ctx.caller.organizations, roles);
  return { ...ctx, caller: { ...ctx.caller, organizations } };
}

/**
 * Has the gateway that passes on this response forget what it remembers about a user, a token or everybody in an
 * organization, so that the next request through it finds what this one wrote. The other gateways learn it by the
 * event.
 */
export function forgetIdentity({ reply }: Ctx, id: string): void {
  const changed = reply.headers[IDENTITY_CHANGED_HEADER];
  reply.headers[IDENTITY_CHANGED_HEADER] = changed ? `${changed},${id}` : id;
}

const exists = ({ db }: Ctx, id: string) =>
  db.selectFrom("organization").select("id").where("id", "=", id).executeTakeFirst();

const membership = (ctx: Ctx, organization: string, { id, token }: UserCaller) =>
  ctx.db
    .selectFrom("member")
    .innerJoin("organization", "organization.id", "member.organization")
    .select("member.role")
    .where("member.organization", "=", organization)
    .where("member.person", "=", id)
    .where("member.disabled", "=", false)
    .where(isReachedWith(ctx, token))
    .executeTakeFirst();

/** What a token is, as SQL: which organization it is bound to, if any, and whether single sign-on is no matter of it. */
interface Reach {
  boundTo: RawBuilder<string | null>;
  /** It came from a sign-in, or is a service account's, which cannot sign in. */
  trusted: RawBuilder<boolean>;
}

/**
 * Whether a member's organization is reached with a token: a bound one reaches its organization and no other. An
 * organization that insists on single sign-on is reached with trusted tokens, besides which administrators keep access.
 */
export const isReachedFrom = ({ boundTo, trusted }: Reach) =>
  sql<boolean>`(${boundTo} is null or organization.id = ${boundTo})
    and (not organization.sso or member.role = 'admin' or ${trusted})`;

/** The organization that a token is bound to; one that waits with an invite, the invite's. */
export const BOUND_TO = sql<string | null>`coalesce(token.organization,
  (select invite.organization from invite where invite.id = token.invite))`;

/** Whether a member's organization is reached with the token of an id; one that was revoked or has ended reaches none. */
export const isReachedWith = ({ clock }: Ctx, token: string) =>
  sql<boolean>`exists (select from token where token.id = ${token} and ${isAlive(clock())})
    and ${isReachedFrom({
      boundTo: sql`(select ${BOUND_TO} from token where token.id = ${token})`,
      trusted: sql`exists (select from token join person as holder on holder.id = token.person
        where token.id = ${token} and (token.saml_provider is not null or holder.organization is not null))`,
    })}`;

/** Whether a token has not ended yet. */
export const isAlive = (now: Date) =>
  sql<boolean>`(token.expires_at is null or token.expires_at > ${now.toISOString()}::timestamptz)`;

/** The caller as a person acting for themselves; 403 for a token that is bound to an organization, 401 for none. */
export async function requireUnboundToken(ctx: Ctx): Promise<UserCaller> {
  const caller = userOf(ctx);
  const bound = await boundTo(ctx);
  if (bound !== null) {
    refuse("FORBIDDEN", "Token: is bound to an organization and does not reach this", {
      reason: "bound_token",
    });
  }
  return caller;
}

/** The organization that the token in use is bound to; 401 when the token is no more, whatever the gateway remembers. */
export async function boundTo({ db, caller, clock }: Ctx): Promise<string | null> {
  if (caller.kind !== "user") return null;
  const row = await db
    .selectFrom("token")
    .select(BOUND_TO.as("organization"))
    .where("id", "=", caller.token)
    .where(isAlive(clock()))
    .executeTakeFirst();
  return (row ?? refuseEnded()).organization;
}

/** 401 for a token that was revoked or has ended since the gateway asked who it stands for. */
export function refuseEnded(): never {
  refuse("UNAUTHORIZED", "Authorization: the token was revoked or has expired", {
    reason: "invalid_token",
    headers: { "www-authenticate": 'Bearer realm="octavo", error="invalid_token"' },
  });
}
