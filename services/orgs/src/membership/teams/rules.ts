// A team is some of an organization's people, who are granted content together.

import { roleIn } from "@octavo/shared/contracts/callers";
import { transact } from "@octavo/shared/database/transact";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { requireRole } from "../../access/identity.js";
import { isOwn, requireMember, requireRoleLocked } from "../../access/members.js";
import { auditTeam } from "../../audit/audit.js";
import { permits } from "../../permissions.js";
import type { Call } from "../../trpc.js";
import { enroll } from "./enroll.js";
import { loadTeam } from "./load.js";
import { present, presentOne } from "./present.js";
import * as queries from "./queries.js";
import type { Create, Get, List, ListOfMember, Lookup, Update } from "./schema.js";
import { emitTeamChanged } from "./team-changed.js";

/** Lists the teams of an organization; 403 for guests, 404 for strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  const entered = await requireRole(ctx, input.organizationId, "organization.listTeams");
  const query = queries.list(ctx, input.organizationId, input);
  return paginate({ query, key: "team.id", input, view: (rows) => present(entered, rows) });
}

/** Lists the teams of one member; 403 to a guest for anybody else's, 404 when there is no such member. */
export async function listOfMember({ ctx, input }: Call<typeof ListOfMember>) {
  const { organizationId: organization, userId: user, title } = input;
  const entered = await requireRole(
    ctx,
    organization,
    isOwn(ctx, user) ? "organization.view" : "organization.listTeams",
  );
  await requireMember(ctx, organization, user);
  const query = queries.ofMember(ctx, organization, user, title);
  return paginate({
    query,
    key: "team.id",
    input,
    view: async (rows) => {
      const teams = await present(entered, rows);
      return rows.map(({ role }, index) => ({ team: teams[index]!, member: { role } }));
    },
  });
}

/** Returns a team to its own people and to members who may list teams; 403 to other guests, 404 to strangers. */
export async function get({ ctx, input }: Call<typeof Get>) {
  const { ctx: entered, row } = await loadTeam(ctx, input);
  return presentOne(entered, row);
}

/** Returns those of the teams that the caller may see. */
export async function lookup({ ctx, input }: Call<typeof Lookup>) {
  const rows = await queries.findAll(ctx, input.ids);
  return present(
    ctx,
    rows.filter((row) => row.own_role !== null || permits(roleIn(ctx.caller, row.organization), "team.view")),
  );
}

/**
 * Creates a team of members; 403 for who is no administrator, 404 to strangers, 400 at `body.members` for who is not in
 * the organization.
 */
export function create({ ctx, input }: Call<typeof Create>) {
  const { organizationId: organization, title, members: people } = input;
  return transact(ctx, async (ctx) => {
    const entered = await requireRoleLocked(ctx, organization, "organization.admin");
    const team = { id: newId(), organization };
    await queries.insert(ctx, { ...team, ...titles(title) });
    await enroll(ctx, team, people, { path: (index) => `body.members.${index}` });
    await emitTeamChanged(ctx, team);
    await auditTeam(ctx, "team.create", team, { title, members: people });
    ctx.reply.headers.location = ctx.urls.api`/orgs/${organization}/teams/${team.id}`;
    return presentOne(entered, (await queries.find(ctx, organization, team.id))!);
  });
}

/** Renames a team; 403 for who is no administrator, 404 when there is none. */
export function update({ ctx, input }: Call<typeof Update>) {
  const { organizationId: organization, teamId: id, title } = input;
  return transact(ctx, async (ctx) => {
    const current = await requireRoleLocked(ctx, organization, "organization.admin");
    const { ctx: entered, row } = await loadTeam(current, input);
    if (title === row.title) return presentOne(entered, row);
    await queries.update(ctx, id, titles(title));
    await emitTeamChanged(ctx, row);
    await auditTeam(ctx, "team.update", row, { title: { from: row.title, to: title } });
    return presentOne(entered, { ...row, title });
  });
}

/**
 * Deletes a team; whoever was in it stays a member of the organization. 403 for who is no administrator. No error when
 * there is none.
 */
export function remove({ ctx, input: { organizationId: organization, teamId: id } }: Call<typeof Get>) {
  return transact(ctx, async (ctx) => {
    await requireRoleLocked(ctx, organization, "organization.admin");
    const removed = await queries.remove(ctx, organization, id);
    if (!removed) return;
    await emitTeamChanged(ctx, { id, organization }, { deleted: true });
    await auditTeam(ctx, "team.delete", { id, organization });
  });
}

const titles = (title: string) => ({ title, search_text: title.toLowerCase() });
