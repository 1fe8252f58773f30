// Tokens that administrators make for the members and service accounts of their organization. Each is bound to it: it
// reaches nothing else of its user's, and ends with the membership; one for a person also with the right of its maker.

import { bearerHash, newBearer } from "@octavo/shared/bearer";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { requireRole } from "../../../access/identity.js";
import { requireMember, requireRoleLocked } from "../../../access/members.js";
import { auditToken } from "../../../audit/audit.js";
import type { Call, Ctx } from "../../../trpc.js";
import { checkLimits, endWithin, insertMade, originOf } from "../issue.js";
import * as queries from "../queries.js";
import { end } from "../revocation.js";
import type { CreateForMember, GetOfMember, ListOfMember } from "../schema.js";
import { memberView } from "../view.js";

/**
 * Lists those of the member's tokens that are bound to the organization; the others are the member's own matter. 403
 * for who is no administrator, 404 when there is no such member.
 */
export async function listOfMember({ ctx, input }: Call<typeof ListOfMember>) {
  const { organizationId: organization, userId: person } = input;
  await requireRole(ctx, organization, "organization.admin");
  await requireMember(ctx, organization, person);
  const query = queries.ofPerson(ctx, person, organization);
  const by = [{ column: "created_at", direction: "desc" as const }];
  return paginate({ query, by, input, view: (rows) => rows.map(memberView(ctx, organization)) });
}

/**
 * Returns a token of a member that is bound to the organization, to an administrator; 403 to other members, 404 to
 * strangers or when there is none.
 */
export async function getOfMember({ ctx, input }: Call<typeof GetOfMember>) {
  const { organizationId: organization, userId: person, tokenId } = input;
  await requireRole(ctx, organization, "organization.admin");
  const row = found(await queries.find(ctx, person, tokenId, organization), "Token");
  return memberView(ctx, organization)(row);
}

/**
 * Creates a token for a member, bound to the organization. A restricted token makes no token that may do more than
 * itself (403), and one that ends none that outlives it but for service accounts, which belong to the organization. 403
 * for who is no administrator, 404 when there is no such member.
 */
export function createForMember({ ctx, input }: Call<typeof CreateForMember>) {
  const { organizationId: organization, userId: person, label, scopes, expiresAt } = input;
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organization, "organization.admin");
    await requireMember(ctx, organization, person);
    const own = ctx.caller.kind === "user" ? ctx.caller.scopes : undefined;
    checkLimits(ctx, { own, scopes, expiresAt });
    const token = newBearer();
    const hash = bearerHash(token);
    const { until, ...made } = await limitsOf(ctx, person);
    const expires_at = endWithin(until, expiresAt);
    const values = { id: newId(), person, organization, hash, label, scopes, expires_at, ...made };
    const row = await insertMade(ctx, values);
    const details = { user: person, label, scopes: scopes ?? null, expiresAt: expires_at };
    await auditToken(ctx, "token.create", row, details);
    return { ...memberView(ctx, organization)(row), token };
  });
}

/**
 * Revokes a member's token at once; one that is not there, or not bound to the organization, is left alone. 403 for who
 * is no administrator.
 */
export function revokeOfMember({ ctx, input }: Call<typeof GetOfMember>) {
  const { organizationId: organization, userId: user, tokenId: token } = input;
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organization, "organization.admin");
    if (!(await queries.find(ctx, user, token, organization)) || !(await end(ctx, token))) return;
    await auditToken(ctx, "token.revoke", { id: token, organization }, { user });
  });
}

/** Whose right a new token of the member depends on, and when it ends at the latest. */
async function limitsOf(ctx: Ctx, person: string): Promise<Limits> {
  const { caller } = ctx;
  if (caller.kind !== "user") return {};
  const maker = await originOf(ctx, caller.token);
  if (caller.id !== person && (await queries.isServiceAccount(ctx, person))) return {};
  return {
    made_by: maker.made_by ?? (caller.id === person ? null : caller.id),
    made_with: maker.made_with,
    until: maker.expires_at,
  };
}

interface Limits {
  made_by?: string | null;
  made_with?: string;
  until?: string | null;
}
