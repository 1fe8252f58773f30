// A service account is a member that is no person: it belongs to the organization, and acts by tokens alone.

import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { requireRole } from "../../access/identity.js";
import { requireRoleLocked } from "../../access/members.js";
import * as users from "../../accounts/users/accounts.js";
import { admit } from "../../admission/admit.js";
import { auditServiceAccount } from "../../audit/audit.js";
import type { Call, Ctx } from "../../trpc.js";
import { update as updateMember } from "../members/rules/update.js";
import * as members from "../members/rules.js";
import * as queries from "./queries.js";
import type { Create, Get, List, Update } from "./schema.js";
import { view } from "./view.js";

/** Lists an organization's service accounts to administrators; 403 to other members, 404 to strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  await requireRole(ctx, input.organizationId, "organization.admin");
  const query = queries.list(ctx, input.organizationId);
  return paginate({ query, key: "person.id", input, view: (rows) => rows.map(view(ctx)) });
}

/** Returns a service account to an administrator; 403 to other members, 404 when there is none. */
export async function get({ ctx, input }: Call<typeof Get>) {
  await requireRole(ctx, input.organizationId, "organization.admin");
  return show(ctx, input);
}

/**
 * Creates a service account, which has no token yet: those are made as for any member. 403 for who is no administrator,
 * 404 to strangers.
 */
export function create({ ctx, input: { organizationId: organization, title, role } }: Call<typeof Create>) {
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organization, "organization.admin");
    const id = await users.makeServiceAccount(ctx, organization, title);
    await admit(ctx, { organization, person: id, role });
    await auditServiceAccount(ctx, "service-account.create", { id, organization });
    return show(ctx, { organizationId: organization, serviceAccountId: id });
  });
}

/** Renames a service account, or changes its role; 403 for who is no administrator, 404 when there is none. */
export function update({ ctx, input }: Call<typeof Update>) {
  const { organizationId, serviceAccountId: id, title, role } = input;
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organizationId, "organization.admin");
    const { title: before } = await show(ctx, input);
    await updateMember({ ctx, input: { organizationId, userId: id, role } });
    if (title !== undefined && title !== before) {
      await users.rename(ctx, id, title);
      await auditServiceAccount(ctx, "service-account.update", { id, organization: organizationId });
    }
    return show(ctx, input);
  });
}

/**
 * Ends a service account with its tokens and everything it was granted; 403 for who is no administrator. No error when
 * there is none.
 */
export function remove({ ctx, input }: Call<typeof Get>) {
  const { organizationId, serviceAccountId: userId } = input;
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organizationId, "organization.admin");
    if (!(await queries.find(ctx, organizationId, userId))) return;
    await members.remove({ ctx, input: { organizationId, userId } });
    await auditServiceAccount(ctx, "service-account.delete", { id: userId, organization: organizationId });
  });
}

interface Key {
  organizationId: string;
  serviceAccountId: string;
}

async function show(ctx: Ctx, { organizationId, serviceAccountId }: Key) {
  return view(ctx)(found(await queries.find(ctx, organizationId, serviceAccountId), "Service account"));
}
