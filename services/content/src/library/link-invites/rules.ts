// A link that invites whoever has it, as often as it is used, into the organization or to one space or collection. Orgs
// keeps the links and decides who makes them and who comes in; content holds what they lead to.

import { userOf } from "@octavo/shared/access";
import { atLeast, ROLES, type Role } from "@octavo/shared/contracts/roles";
import { transact } from "@octavo/shared/database/transact";
import { refuse, refuseAt } from "@octavo/shared/errors";
import { IDENTITY_CHANGED_HEADER } from "@octavo/shared/identity";
import { levelOn } from "../../access/level.js";
import { loadCollection } from "../../access/load-collection.js";
import { loadSpace } from "../../access/load-space.js";
import type { LinkTarget } from "../../orgs/orgs.js";
import { allow } from "../../permissions.js";
import type { Call, Ctx } from "../../trpc.js";
import { lockAdministered } from "../grants/target.js";
import { findTarget, loadTarget, NAMES, refuseGone, refuseScopes, targetOf } from "./content.js";
import type { Accept, Create, Get, List, Update } from "./schema.js";
import { view } from "./view.js";

/**
 * Lists links: those to content for who may see them there, and only while it is there; those to the organization for
 * its administrators. Whoever reads a link may use it, so those above one's own level are left out. 403 to other
 * members, 404 for content out of reach.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const { organizationId: organization, page, limit } = input;
  const target = targetOf(input);
  const roles = target && (await rolesOfLinks(ctx, organization, target));
  const links = await ctx.orgs.linkInvites.list(ctx, organization, { target, roles, page, limit });
  const content = target && (await findTarget(ctx, organization, target, "content:read"));
  if (target && !content) refuse("NOT_FOUND", `${NAMES[target.type]}: not found`);
  return { ...links, items: links.items.map(view(ctx, organization, content)) };
}

/** The roles that the caller may see links to a space or a collection give: their own and lower ones; 404 to who may not read it. */
async function rolesOfLinks(ctx: Ctx, organization: string, { type, id }: LinkTarget): Promise<Role[]> {
  const row = await (type === "space" ? loadSpace(ctx, id) : loadCollection(ctx, id));
  if (row.organization !== organization) refuse("NOT_FOUND", `${NAMES[type]}: not found`);
  const level = levelOn(ctx.caller, row);
  allow(level, `${type}.viewInviteLinks`, NAMES[type]);
  return ROLES.filter((role) => atLeast(level, role));
}

/** Returns a link with what it leads to; 404 when the content that it leads to is gone. */
export async function get({ ctx, input: { organizationId, inviteId } }: Call<typeof Get>) {
  const link = await ctx.orgs.linkInvites.get(ctx, organizationId, inviteId);
  return view(ctx, organizationId, await loadTarget(ctx, organizationId, link, "content:read"))(link);
}

/**
 * Creates a link into the organization, or to content of it. Content is shared by who may grant on it, with at most the
 * level that they have: else 403; 404 for content out of reach.
 */
export async function create({ ctx, input }: Call<typeof Create>) {
  const { organizationId: organization, role, level } = input;
  const given = (role === undefined ? level : role) ?? null;
  const target = targetOf(input);
  if (target) await share(ctx, organization, target, given);
  const link = await ctx.orgs.linkInvites.create(ctx, organization, { role: given, target });
  return view(ctx, organization, await loadTarget(ctx, organization, link, "content:write"))(link);
}

/**
 * Changes what a link gives from now on: `role` in the organization, `level` on content. 400 for the other of both, 403
 * for who may not give that much, 404 when there is no such link or its content is out of reach.
 */
export async function update({ ctx, input }: Call<typeof Update>) {
  const { organizationId: organization, inviteId } = input;
  const link = await ctx.orgs.linkInvites.get(ctx, organization, inviteId);
  const [field, other] = link.target ? (["level", "role"] as const) : (["role", "level"] as const);
  const role = input[field];
  if (role === undefined) refuseAt(`body.${field}`, "is needed for this link");
  if (input[other] !== undefined) refuseAt(`body.${other}`, "is not for this link");
  const content = await loadTarget(ctx, organization, link, "content:write");
  if (link.target) await share(ctx, organization, link.target, role);
  const changed = await ctx.orgs.linkInvites.update(ctx, organization, { inviteId, role });
  return view(ctx, organization, content)(changed);
}

/** Guards that the caller may share content of the organization, with at most the level that they have themselves. */
async function share(ctx: Ctx, organization: string, { type, id }: LinkTarget, level: Role | null) {
  const managed = await transact(ctx, (ctx) => lockAdministered(ctx, { kind: type, id }, level, "use"));
  if (managed.organization !== organization) refuse("NOT_FOUND", `${NAMES[type]}: not found`);
  refuseScopes(ctx, "content:write");
}

/** Deletes a link, so that nobody comes in by it from now on; who did stays. */
export async function remove({ ctx, input: { organizationId, inviteId } }: Call<typeof Get>) {
  await ctx.orgs.linkInvites.remove(ctx, organizationId, inviteId);
}

/**
 * Accepts an invite of any kind. By a link to content, who is no member becomes a guest, and is granted the level when
 * content receives the event; a link to what is gone admits nobody (404). 403 for a service.
 */
export async function accept({ ctx, input: { organizationId, inviteId } }: Call<typeof Accept>) {
  const { id } = userOf(ctx);
  const target = await ctx.orgs.invites.target(ctx, organizationId, inviteId);
  if (target && !(await findTarget(ctx, organizationId, target))) refuseGone(target);
  await ctx.orgs.invites.accept(ctx, organizationId, inviteId);
  ctx.reply.headers[IDENTITY_CHANGED_HEADER] = id;
  return {};
}
