// A SAML provider is an organization's connection to where its people sign in.

import { changed, type Deed } from "@octavo/shared/audit";
import { OrganizationUpdated } from "@octavo/shared/contracts/events/orgs";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { forgetIdentity, requireRole } from "../../access/identity.js";
import { requireRoleLocked } from "../../access/members.js";
import { audit } from "../../audit/audit.js";
import * as teams from "../../membership/teams/rules.js";
import * as organizations from "../../organization/organizations/rules.js";
import type { Call, Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import type { Create, Get, List, Logins, Update } from "./schema.js";
import { columnsOf } from "./settings.js";
import { isActive, serviceOf, view } from "./view.js";

/** Lists an organization's SAML providers to administrators; 403 to other members, 404 to strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  const entered = await requireRole(ctx, input.organizationId, "organization.admin");
  const query = queries.ofOrganization(ctx, input.organizationId);
  return paginate({ query, input, view: (rows) => present(entered, rows) });
}

/** Returns a SAML provider to an administrator; 403 to other members, 404 when there is none. */
export async function get({ ctx, input }: Call<typeof Get>) {
  const { ctx: entered, row } = await loadProvider(ctx, input);
  return presentOne(entered, row);
}

/**
 * Creates a SAML provider; 400 for a certificate that cannot be read or a team of another organization, 403 for who is
 * no administrator, 404 to strangers. Without a role of its own it gives newcomers what the organization gives by
 * default.
 */
export function create({ ctx, input: { organizationId: organization, ...settings } }: Call<typeof Create>) {
  return transact(ctx, async (ctx) => {
    const entered = await requireRoleLocked(ctx, organization, "organization.admin");
    const { defaultRole } = await organizations.get({
      ctx: entered,
      input: { organizationId: organization },
    });
    const given = await columnsOf(entered, organization, { defaultRole: defaultRole ?? null, ...settings });
    const row = await queries.insert(ctx, { id: newId(), organization, ...given, label: settings.label });
    await record(ctx, "saml.create", row, { label: row.label });
    return presentOne(entered, row);
  });
}

/**
 * Changes a SAML provider; 403 for who is no administrator, 404 when there is none, 400 for a certificate that cannot
 * be read or a team of another organization.
 */
export function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const { organizationId, samlProviderId, ...settings } = input;
    const { ctx: entered, row } = await loadProvider(
      await requireRoleLocked(ctx, organizationId, "organization.admin"),
      input,
    );
    const changes = await columnsOf(entered, organizationId, settings);
    const details = changed(row, changes);
    if (Object.keys(details).length === 0) return presentOne(entered, row);
    const updated = await queries.update(ctx, samlProviderId, changes);
    await record(ctx, "saml.update", row, details);
    return presentOne(entered, updated);
  });
}

/**
 * Deletes a SAML provider and at once the tokens that it gave; the people stay members. 403 for who is no
 * administrator. No error when there is none.
 */
export function remove({ ctx, input: { organizationId, samlProviderId } }: Call<typeof Get>) {
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organizationId, "organization.admin");
    if (!(await queries.remove(ctx, organizationId, samlProviderId))) return;
    await emit(ctx, OrganizationUpdated, organizationId, { organization: organizationId });
    await record(ctx, "saml.delete", { id: samlProviderId, organization: organizationId });
    forgetIdentity(ctx, organizationId);
  });
}

const record = (
  ctx: Ctx,
  action: `saml.${string}`,
  { id, organization }: Pick<queries.Row, "id" | "organization">,
  details?: Deed["details"],
) => audit(ctx, { organization, action, target: { type: "saml-provider", id }, details });

/** Lists where members may sign in, to every member and guest; 404 to strangers. */
export async function listSsoLogins({ ctx, input }: Call<typeof Logins>) {
  await requireRole(ctx, input.organizationId, "organization.view");
  const rows = await queries.ofOrganization(ctx, input.organizationId).orderBy("id").execute();
  return {
    items: rows
      .filter(isActive)
      .map((row) => ({ id: row.id, label: row.label, startURL: serviceOf(ctx, row).startURL })),
  };
}

async function loadProvider(ctx: Ctx, { organizationId, samlProviderId }: Call<typeof Get>["input"]) {
  const entered = await requireRole(ctx, organizationId, "organization.admin");
  return {
    ctx: entered,
    row: found(await queries.find(ctx, organizationId, samlProviderId), "SAML provider"),
  };
}

async function present(ctx: Ctx, rows: queries.Row[]) {
  const ids = rows.flatMap(({ default_team: team }) => team ?? []);
  const known = ids.length > 0 ? await teams.lookup({ ctx, input: { ids } }) : [];
  return rows.map(view(ctx, new Map(known.map((team) => [team.id, team]))));
}

async function presentOne(ctx: Ctx, row: queries.Row) {
  return (await present(ctx, [row]))[0]!;
}
