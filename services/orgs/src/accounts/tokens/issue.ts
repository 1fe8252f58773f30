// Tokens that other rules make for their purposes, inside their own transactions.

import { userOf } from "@octavo/shared/access";
import { bearerHash, isBearer, newBearer } from "@octavo/shared/bearer";
import { coversScopes } from "@octavo/shared/contracts/scopes";
import { onConstraint, refuse, refuseAt } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { refuseEnded } from "../../access/identity.js";
import { auditToken } from "../../audit/audit.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import { view } from "./view.js";

/** The references with which a token ends. */
const HELD_BY = [
  "token_made_with",
  "token_membership",
  "token_maker",
  "token_invite_fkey",
  "token_saml_provider_fkey",
];

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
