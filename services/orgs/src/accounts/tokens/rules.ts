// A token lets a program act as its user. It is shown once, and kept as a hash.

import { userOf } from "@octavo/shared/access";
import { bearerHash, isBearer, newBearer } from "@octavo/shared/bearer";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { boundTo } from "../../access/identity.js";
import { auditToken } from "../../audit/audit.js";
import type { Call, Ctx } from "../../trpc.js";
import { checkLimits, endWithin, insertMade, originOf } from "./issue.js";
import * as queries from "./queries.js";
import { end } from "./revocation.js";
import type { Create, Get, List, Resolve } from "./schema.js";
import { view } from "./view.js";

/** Uses of a token within this time are noted once. */
const NOTED_EVERY_MS = 60_000;

/**
 * Lists the caller's own tokens, the newest first; by a token bound to an organization, only those bound to it too. 403
 * for a service.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const query = queries.ofPerson(ctx, userOf(ctx).id, await boundTo(ctx));
  const by = [{ column: "created_at", direction: "desc" as const }];
  return paginate({ query, by, input, view: (rows) => rows.map(view(ctx)) });
}

/**
 * Returns one of the caller's own tokens; 404 for any other, and for one out of reach of a bound token, 403 for a
 * service.
 */
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

/**
 * Revokes a token of the caller's at once, with those made with it; one that is not there, or another user's, is left
 * alone. 403 for a service.
 */
export function revoke({ ctx, input: { tokenId } }: Call<typeof Get>) {
  const { id: user } = userOf(ctx);
  return transact(ctx, async (ctx) => {
    const known = await queries.find(ctx, user, tokenId, await boundTo(ctx));
    if (!known || !(await end(ctx, tokenId))) return;
    await auditToken(ctx, "token.revoke", known);
  });
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
