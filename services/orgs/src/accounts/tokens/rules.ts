// A token lets a program act as its user. It is shown once, and kept as a hash.

import { userOf } from "@octavo/shared/access";
import { bearerHash, isBearer, newBearer } from "@octavo/shared/bearer";
import { TokenRevoked } from "@octavo/shared/contracts/events/orgs";
import { coversScopes } from "@octavo/shared/contracts/scopes";
import { transact } from "@octavo/shared/database/transact";
import { found, onConstraint, refuse, refuseAt } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { boundTo, forgetIdentity, refuseEnded } from "../../access/identity.js";
import { auditToken } from "../../audit/audit.js";
import type { Call, Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import type { Create, Get, List, Resolve } from "./schema.js";
import { view } from "./view.js";

/** Uses of a token within this time are noted once. */
const NOTED_EVERY_MS = 60_000;
/** The references with which a token ends. */
const HELD_BY = [
  "token_made_with",
  "token_membership",
  "token_maker",
  "token_invite_fkey",
  "token_saml_provider_fkey",
];

/** Lists the caller's own tokens, the newest first; by a token bound to an organization, only those bound to it too. */
export async function list({ ctx, input }: Call<typeof List>) {
  const query = queries.ofPerson(ctx, userOf(ctx).id, await boundTo(ctx));
  const by = [{ column: "created_at", direction: "desc" as const }];
  return paginate({ query, by, input, view: (rows) => rows.map(view(ctx)) });
}

/** Returns one of the caller's own tokens; 404 for any other, and for one out of reach of a bound token. */
export async function get({ ctx, input }: Call<typeof Get>) {
  return view(ctx)(
    found(await queries.find(ctx, userOf(ctx).id, input.tokenId, await boundTo(ctx)), "Token"),
  );
}

/**
 * Creates a token of the caller's, shown this once; 400 for an end in the past, 403 for more than the token in use
 * may do: its scopes, its end, and the organization that it is bound to.
 */
export async function create({ ctx, input: { label, scopes, expiresAt } }: Call<typeof Create>) {
  const { id: person, scopes: own, token: maker } = userOf(ctx);
  checkLimits(ctx, { own, scopes, expiresAt });
  const token = newBearer();
  const values = { id: newId(), person, hash: bearerHash(token), label, scopes };
  return transact(ctx, async (ctx) => {
    const origin = await originOf(ctx, maker);
    const expires_at = endWithin(origin.expires_at, expiresAt);
    const row = await insertMade(ctx, { ...values, ...origin, expires_at });
    await auditToken(ctx, "token.create", row, { label, scopes: scopes ?? null, expiresAt: row.expires_at });
    return { ...view(ctx)(row), token };
  });
}

/** Returns what the token hands down to one that is made with it; 401 when it is no more. */
export const originOf = async (ctx: Ctx, token: string) =>
  (await queries.origin(ctx, token)) ?? refuseEnded();

/** Inserts a token that was made with another; 401 when that one, or what it hangs on, ends at the same time. */
export async function insertMade(ctx: Ctx, values: Parameters<typeof queries.insert>[1]) {
  try {
    return await queries.insert(ctx, values);
  } catch (error) {
    for (const constraint of HELD_BY) onConstraint(error, constraint, refuseEnded);
    throw error;
  }
}

/**
 * Makes tokens for other people, inside the transaction of whoever decided it. Like one's own, they may do no more
 * than the token of who makes them.
 */
export async function issue(ctx: Ctx, all: Issued[]): Promise<(Issued & { id: string; token: string })[]> {
  if (all.length === 0) return [];
  const scopes = ctx.caller.kind === "user" ? ctx.caller.scopes : undefined;
  const made = all.map((values) => ({ ...values, id: newId(), token: newBearer() }));
  await queries.insertAll(
    ctx,
    made.map(({ token, ...values }) => ({ ...values, hash: bearerHash(token), scopes })),
  );
  return made;
}

/** Makes a token of the caller's own, which is bound to nothing, inside the transaction of whoever made sure of them. */
export async function makeOwn(ctx: Ctx, label: string, expires_at: string | null = null) {
  const { id: person, scopes } = userOf(ctx);
  const token = newBearer();
  const values = { id: newId(), person, hash: bearerHash(token), label, scopes, expires_at };
  const row = await queries.insert(ctx, values);
  await auditToken(ctx, "token.create", row, { label, scopes: scopes ?? null, expiresAt: row.expires_at });
  return { ...view(ctx)(row), token };
}

/** Revokes the tokens that came with invites, and all that were made with them. */
export async function withdrawInvited(ctx: Ctx, invites: string[]): Promise<void> {
  await forget(ctx, await queries.withdrawInvited(ctx, invites));
}

/** Revokes all tokens with which a person reaches an organization. */
export async function withdrawReaching(ctx: Ctx, person: string, organization: string): Promise<void> {
  await forget(ctx, await queries.withdrawReaching(ctx, person, organization));
}

/** Revokes the tokens that somebody who is no administrator any more made for others. */
export async function withdrawMadeBy(ctx: Ctx, organization: string, maker: string): Promise<void> {
  await forget(ctx, await queries.withdrawMadeBy(ctx, organization, maker));
}

/** Revokes the tokens that hang on a membership which ends. */
export async function withdrawMember(ctx: Ctx, organization: string, member: string): Promise<void> {
  await forget(ctx, await queries.withdrawMember(ctx, organization, member));
}

async function forget(ctx: Ctx, revoked: { id: string; person: string }[]) {
  for (const { id: token, person: user } of revoked) {
    await emit(ctx, TokenRevoked, user, { token, user });
    forgetIdentity(ctx, token);
  }
}

/** Binds the tokens that waited with an invite to its organization, whose member the person is by now. */
export async function bindInvited(ctx: Ctx, invite: Parameters<typeof queries.bindInvited>[1]) {
  for (const { id } of await queries.bindInvited(ctx, invite)) forgetIdentity(ctx, id);
}

interface Issued {
  person: string;
  label: string;
  expires_at?: string;
  /** The identity provider that vouched for the person, and the organization that the token is bound to then. */
  saml_provider?: string;
  organization?: string;
  /** The invite that the token waits with. */
  invite?: string;
}

/**
 * Revokes a token of the caller's at once, with those made with it; one that is not there, or another user's, is left
 * alone.
 */
export function revoke({ ctx, input: { tokenId } }: Call<typeof Get>) {
  const { id: user } = userOf(ctx);
  return transact(ctx, async (ctx) => {
    const known = await queries.find(ctx, user, tokenId, await boundTo(ctx));
    if (!known || !(await end(ctx, tokenId))) return;
    await auditToken(ctx, "token.revoke", known);
  });
}

/**
 * Ends a token with all that were made with it, inside the transaction of whoever decided it; false when it was gone.
 * The token in use stays though it was made with that one, so that people can exchange a token for another of theirs.
 */
export async function end(ctx: Ctx, token: string): Promise<boolean> {
  if (ctx.caller.kind === "user") await queries.succeed(ctx, ctx.caller.token, token);
  const ended = await queries.remove(ctx, token);
  await forget(ctx, ended);
  return ended.length > 0;
}

/** Returns who the token stands for; `null` for one that is malformed, unknown, revoked or expired. */
export async function resolve({ ctx, input: { token } }: Call<typeof Resolve>) {
  if (!isBearer(token)) return null;
  const now = ctx.clock();
  const row = await queries.resolve(ctx, bearerHash(token), now.toISOString());
  if (!row) return null;
  await noteUse(ctx, row, now);
  return {
    caller: {
      kind: "user" as const,
      id: row.id,
      name: row.display_name,
      email: row.email ?? undefined,
      photo: row.photo_url ?? undefined,
      organizations: row.organizations,
      teams: row.teams,
      scopes: row.scopes ?? undefined,
      token: row.token,
    },
    expiresAt: row.expires_at,
  };
}

async function noteUse(ctx: Ctx, row: { token: string; last_used_at: string | null }, now: Date) {
  const before = new Date(now.getTime() - NOTED_EVERY_MS);
  if (row.last_used_at && Date.parse(row.last_used_at) > before.getTime()) return;
  await queries.touch(ctx, row.token, now.toISOString(), before.toISOString());
}

/** Returns the user whose token an operator chose, if it is known. */
export async function holderOf(ctx: Ctx, token: string): Promise<string | undefined> {
  return (await queries.holder(ctx, bearerHash(token)))?.person;
}

/** Takes a token that an operator chose as it is, and returns its id; 400 for one that cannot be a token. */
export async function adopt(
  ctx: Ctx,
  token: string,
  owner: { person: string; label: string },
): Promise<string> {
  const message =
    "must be at least 20 characters of a-z, A-Z, 0-9 and -._~+/ (a token made by Octavo: unchanged)";
  if (!isBearer(token)) refuseAt("token", message);
  return (await queries.insert(ctx, { id: newId(), hash: bearerHash(token), ...owner })).id;
}

/** Refuses scopes beyond those of who makes the token (403) and an end in the past (400). */
export function checkLimits(
  { clock }: Ctx,
  { own, scopes, expiresAt }: { own?: string[]; scopes?: string[]; expiresAt?: string },
): void {
  if (!coversScopes(own, scopes)) refuse("FORBIDDEN", "Token: may not do more than the one that makes it");
  if (expiresAt && Date.parse(expiresAt) <= clock().getTime())
    refuseAt("body.expiresAt", "must be in the future");
}

/** Returns when a token ends that is made with another: with that one, if not before. 403 for an end after it. */
export function endWithin(end: string | null | undefined, asked: string | undefined): string | null {
  if (end && asked && Date.parse(asked) > Date.parse(end)) {
    refuse("FORBIDDEN", "Token: may not outlive the one that makes it", { reason: "outlives_maker" });
  }
  return asked ?? end ?? null;
}
