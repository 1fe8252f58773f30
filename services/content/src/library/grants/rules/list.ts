import type { Team } from "@octavo/shared/contracts/schemas/team";
import { paginate } from "@octavo/shared/paginate";
import { personView } from "../../../people/view.js";
import type { Ctx } from "../../../trpc.js";
import * as queries from "../queries.js";
import type { List } from "../schema.js";
import { type CallOn, loadForMembers } from "../target.js";

/**
 * Lists the users who are granted a role here, the first granted first; 404 for who may not read the content, 403 for
 * guests.
 */
export async function listUsers({ ctx, target, input }: CallOn<typeof List>) {
  await loadForMembers(ctx, target);
  return paginate({
    query: queries.list(ctx, target.id, "user"),
    by: [{ column: "created_at" }],
    key: "subject",
    input,
    view: async (rows) => {
      const ids = rows.map(({ subject }) => subject);
      const users = new Map((await ctx.orgs.users(ctx, ids)).map((user) => [user.id, user]));
      return rows.map(({ subject, role }) => ({
        permission: role,
        user: users.get(subject) ?? unknown(ctx, subject),
      }));
    },
  });
}

/**
 * Lists the teams that are granted a role here, the first granted first; a team that is gone, but not yet from here,
 * is neither listed nor counted. 404 for who may not read the content, 403 for guests.
 */
export async function listTeams({ ctx, target, input }: CallOn<typeof List>) {
  await loadForMembers(ctx, target);
  const teams = await teamsAmong(ctx, await queries.list(ctx, target.id, "team").execute());
  return paginate({
    query: queries.list(ctx, target.id, "team", [...teams.keys()]),
    by: [{ column: "created_at" }],
    key: "subject",
    input,
    view: (rows) => rows.map(({ subject, role }) => ({ permission: role, team: teams.get(subject)! })),
  });
}

const MOST_TEAMS = 1000;

/** The teams there are, of those that hold a grant on one thing. */
async function teamsAmong(ctx: Ctx, grants: { subject: string }[]): Promise<Map<string, Team>> {
  const teams = new Map<string, Team>();
  for (let at = 0; at < grants.length; at += MOST_TEAMS) {
    const ids = grants.slice(at, at + MOST_TEAMS).map(({ subject }) => subject);
    for (const team of await ctx.orgs.teams(ctx, ids)) teams.set(team.id, team);
  }
  return teams;
}

const unknown = ({ urls }: Ctx, id: string) =>
  personView(urls, { id, display_name: null, email: null, photo_url: null });
