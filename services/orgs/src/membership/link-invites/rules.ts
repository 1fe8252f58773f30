// A link that invites whoever has it, as often as it is used, into the organization or to one space or collection.

import { userOf } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { requireRole } from "../../access/identity.js";
import { requireRoleLocked } from "../../access/members.js";
import { targetOf } from "../../admission/target.js";
import { audit } from "../../audit/audit.js";
import * as emailDomains from "../../organization/email-domains/rules.js";
import * as organizations from "../../organization/organizations/load.js";
import type { Call, Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import type { Create, Get, List, Update } from "./schema.js";
import { view } from "./view.js";

/** Lists an organization's links to administrators; 403 to other members, 404 to strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  const organization = await administered(ctx, input.organizationId);
  const domains = await emailDomains.verified(ctx, organization.id);
  return paginate({
    query: queries.list(ctx, organization.id, input),
    input,
    view: (rows) => rows.map(view(domains)),
  });
}

/** Returns one link to an administrator; 403 to other members, 404 to strangers or when there is no such link. */
export async function get({ ctx, input: { organizationId, inviteId } }: Call<typeof Get>) {
  const organization = await administered(ctx, organizationId);
  const row = found(await queries.find(ctx, organizationId, inviteId), "Invite");
  return view(await emailDomains.verified(ctx, organization.id))(row);
}

/**
 * Creates a link; 403 for who is no administrator or when the organization has links switched off, 404 to strangers.
 * Content has made sure that its target exists and that the caller may share it.
 */
export async function create({ ctx, input }: Call<typeof Create>) {
  const { organizationId, role, target } = input;
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organizationId, "organization.admin");
    const organization = await organizations.load(ctx, organizationId);
    if (!organization.invite_links) {
      refuse("FORBIDDEN", "Invite: the organization does not let links invite", {
        reason: "invite_links_off",
      });
    }
    const row = await queries.insert(ctx, {
      id: newId(),
      organization: organizationId,
      role,
      invited_by: userOf(ctx).id,
      created_at: ctx.clock().toISOString(),
      target_type: target?.type,
      target: target?.id,
    });
    await audit(ctx, {
      organization: organizationId,
      action: "invite.link.create",
      target: targetOf(row),
      details: { role, ...(target && { [target.type]: target.id }) },
    });
    return view(await emailDomains.verified(ctx, organization.id))(row);
  });
}

/**
 * Changes what the link gives from now on: the role in the organization, or the level on content. 403 for who is no
 * administrator, 404 when there is none.
 */
export async function update({ ctx, input: { organizationId, inviteId, role } }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organizationId, "organization.admin");
    const row = found(await queries.find(ctx, organizationId, inviteId), "Invite");
    await queries.setRole(ctx, row.id, role);
    const details = { [row.target === null ? "role" : "level"]: { from: row.role, to: role } };
    await audit(ctx, {
      organization: organizationId,
      action: "invite.link.update",
      target: targetOf(row),
      details,
    });
    return view(await emailDomains.verified(ctx, organizationId))({ ...row, role });
  });
}

/**
 * Deletes a link, so that nobody comes in by it from now on; who did stays. 403 for who is no administrator. No error
 * when there is none.
 */
export async function remove({ ctx, input: { organizationId, inviteId } }: Call<typeof Get>) {
  await transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organizationId, "organization.admin");
    const row = await queries.remove(ctx, organizationId, inviteId);
    if (!row) return;
    await audit(ctx, { organization: organizationId, action: "invite.link.delete", target: targetOf(row) });
  });
}

async function administered(ctx: Ctx, id: string) {
  await requireRole(ctx, id, "organization.admin");
  return organizations.load(ctx, id);
}
