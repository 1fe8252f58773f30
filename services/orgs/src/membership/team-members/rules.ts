// Who is in a team. Administrators of the organization manage it, and the owners of the team.

import { transact } from "@octavo/shared/database/transact";
import { refuseAll } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { requireMember, requireRoleLocked } from "../../access/members.js";
import { auditTeam } from "../../audit/audit.js";
import { allowIn } from "../../permissions.js";
import type { Call, Ctx } from "../../trpc.js";
import { present } from "../members/present.js";
import { enroll } from "../teams/enroll.js";
import { loadTeam } from "../teams/load.js";
import * as teams from "../teams/queries.js";
import type { TeamRole } from "../teams/schema.js";
import { emitTeamChanged } from "../teams/team-changed.js";
import * as queries from "./queries.js";
import type { Add, List, Remove, Update } from "./schema.js";

/** Lists the people of a team; a guest sees them only as its owner (403), a stranger does not (404). */
export async function list({ ctx, input }: Call<typeof List>) {
  const { ctx: entered, row } = await loadTeam(ctx, input);
  if (row.own_role !== "owner") allowIn(entered, input.organizationId, "organization.listMembers");
  return paginate({
    query: queries.list(ctx, input.teamId),
    key: "team_member.person",
    input,
    view: async (rows) => {
      const shown = await present(ctx, input.organizationId, rows);
      return rows.map(({ team_role: role }, index) => ({
        organization: shown[index]!,
        team: { role },
        permissions: { view: true },
      }));
    },
  });
}

/**
 * Adds and removes people of a team, all of them or none; 403 for who is neither an administrator nor an owner of the
 * team, 404 when there is none, 400 for who is not in the organization, or is to come and go at once.
 */
export function update({ ctx, input }: Call<typeof Update>) {
  const { add, memberships, remove } = input;
  refuseBoth(new Set([...add, ...Object.keys(memberships)]), remove);
  return transact(ctx, async (ctx) => {
    const team = await lockAdministered(ctx, input);
    await enroll(ctx, team, add, { path: (index) => `body.add.${index}` });
    for (const role of ["owner", "member"] satisfies TeamRole[]) {
      const people = Object.keys(memberships).filter((user) => memberships[user]!.role === role);
      await enroll(ctx, team, people, { role, path: (index) => `body.memberships.${people[index]}` });
    }
    await queries.remove(ctx, team.id, remove);
    await emitTeamChanged(ctx, team);
    await auditTeam(ctx, "team.members.update", team, { add, remove, ...withRole(memberships) });
  });
}

/**
 * Adds a member of the organization to a team, or changes their role there; 403 for who is neither an administrator
 * nor an owner of the team, 404 for who is not in the organization.
 */
export function add({ ctx, input }: Call<typeof Add>) {
  const { organizationId, userId, role } = input;
  return transact(ctx, async (ctx) => {
    const team = await lockAdministered(ctx, input);
    await requireMember(ctx, organizationId, userId);
    await teams.enroll(ctx, team, [userId], role);
    await emitTeamChanged(ctx, team);
    await auditTeam(ctx, "team.members.add", team, { user: userId, role: role ?? null });
  });
}

/**
 * Takes somebody out of a team; 403 for who is neither an administrator nor an owner of the team. No error for who is
 * not in it.
 */
export function remove({ ctx, input }: Call<typeof Remove>) {
  return transact(ctx, async (ctx) => {
    const team = await lockAdministered(ctx, input);
    const removed = await queries.remove(ctx, team.id, [input.userId]);
    if (removed.length === 0) return;
    await emitTeamChanged(ctx, team);
    await auditTeam(ctx, "team.members.remove", team, { user: input.userId });
  });
}

/** The people of each role. */
const withRole = (memberships: Record<string, { role: TeamRole }>) => {
  const having = (role: TeamRole) =>
    Object.keys(memberships).filter((user) => memberships[user]!.role === role);
  return { owner: having("owner"), member: having("member") };
};

/**
 * The team, for somebody who may manage its members. Members themselves may not even leave: what a team is granted
 * takes the place of what their role would give them.
 */
async function lockAdministered(ctx: Ctx, input: { organizationId: string; teamId: string }) {
  const current = await requireRoleLocked(ctx, input.organizationId, "organization.view");
  const { ctx: entered, row } = await loadTeam(current, input);
  if (row.own_role !== "owner") allowIn(entered, input.organizationId, "team.admin");
  return row;
}

function refuseBoth(coming: Set<string>, going: string[]) {
  const message = "is to be added as well";
  refuseAll(
    going.flatMap((user, index) => (coming.has(user) ? [{ path: `body.remove.${index}`, message }] : [])),
  );
}
