// A link that invites whoever has it, as often as it is used, into the organization or to one space or collection.

import { userOf } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { enter } from "../access.js";
import { audit } from "../audit.js";
import { targetOf } from "../invites/rules.js";
import { NEEDS } from "../organizations/permissions.js";
import * as organizations from "../organizations/rules.js";
import type { Call, Ctx } from "../trpc.js";
import * as queries from "./queries.js";
import type { Create, Get, List, Update } from "./schema.js";
import { view } from "./view.js";

export async function list({ ctx, input }: Call<typeof List>) {
  const organization = await administered(ctx, input.organizationId);
  return paginate({
    query: queries.list(ctx, organization.id, input),
    input,
    view: (rows) => rows.map(view(ctx, organization.email_domains)),
  });
}

export async function get({ ctx, input: { organizationId, inviteId } }: Call<typeof Get>) {
  const organization = await administered(ctx, organizationId);
  const row = found(await queries.find(ctx, organizationId, inviteId), "Invite");
  return view(ctx, organization.email_domains)(row);
}

/** Whether there is such content is for its service to know: it grants nothing on what is not there. */
export async function create({ ctx, input }: Call<typeof Create>) {
  const { organizationId, role, level, space, collection } = input;
  const organization = await administered(ctx, organizationId);
  if (!organization.invite_links) {
    refuse("FORBIDDEN", "Invite: the organization does not let links invite", { reason: "invite_links_off" });
  }
  const target = space
    ? { target_type: "space" as const, target: space }
    : collection
      ? { target_type: "collection" as const, target: collection }
      : {};
  const given = (role === undefined ? level : role) ?? null;
  return transact(ctx, async (ctx) => {
    const row = await queries.insert(ctx, {
      id: newId(),
      organization: organizationId,
      role: given,
      invited_by: userOf(ctx).id,
      ...target,
    });
    const details = { role: given, [row.target_type ?? "target"]: row.target };
    await audit(ctx, {
      organization: organizationId,
      action: "invite.link.create",
      target: targetOf(row),
      details,
    });
    return view(ctx, organization.email_domains)(row);
  });
}

/** Changes what the link gives from now on: `role` in the organization, `level` on content. */
export async function update({ ctx, input }: Call<typeof Update>) {
  const organization = await administered(ctx, input.organizationId);
  const row = found(await queries.find(ctx, input.organizationId, input.inviteId), "Invite");
  const [field, other] = row.target === null ? (["role", "level"] as const) : (["level", "role"] as const);
  const role = input[field];
  if (role === undefined) misfit(field, "is needed for this link");
  if (input[other] !== undefined) misfit(other, "is not for this link");
  return transact(ctx, async (ctx) => {
    await queries.setRole(ctx, row.id, role);
    const details = { [field]: { from: row.role, to: role } };
    await audit(ctx, {
      organization: organization.id,
      action: "invite.link.update",
      target: targetOf(row),
      details,
    });
    return view(ctx, organization.email_domains)({ ...row, role });
  });
}

/** Nobody comes in by the link from now on; who did stays. */
export async function remove({ ctx, input: { organizationId, inviteId } }: Call<typeof Get>) {
  await enter(ctx, organizationId, NEEDS.admin);
  await transact(ctx, async (ctx) => {
    const row = await queries.remove(ctx, organizationId, inviteId);
    if (!row) return;
    await audit(ctx, { organization: organizationId, action: "invite.link.delete", target: targetOf(row) });
  });
}

async function administered(ctx: Ctx, id: string) {
  await enter(ctx, id, NEEDS.admin);
  return organizations.load(ctx, id);
}

function misfit(field: string, message: string): never {
  const path = `body.${field}`;
  refuse("BAD_REQUEST", `${path}: ${message}`, { issues: [{ path, message }] });
}
