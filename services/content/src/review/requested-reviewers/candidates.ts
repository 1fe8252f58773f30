import { type Issue, refuseAll } from "@octavo/shared/errors";
import { departed } from "../../library/grants/departures.js";
import { levelOfMember } from "../../library/grants/member-level.js";
import { containers } from "../../library/grants/queries.js";
import { permits, roleFor } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";

export interface Asked {
  space: string;
  organization: string;
  author: string;
  users: string[];
  teams: string[];
}

/**
 * 400 with an issue for each requested reviewer who could not review: members who may review the space can, but for the
 * author; a team can when somebody in it can. So nobody waits for a review that is never to come. Returns since when
 * each of them is there; null for teams.
 */
export async function refuseOthers(ctx: Ctx, asked: Asked): Promise<Map<string, string | null>> {
  const { space, organization, author, users, teams } = asked;
  const [members, teamsHere, around] = await Promise.all([
    users.length + teams.length > 0 ? ctx.orgs.memberships(ctx, organization, { users, teams }) : [],
    teams.length > 0 ? ctx.orgs.teamsIn(ctx, organization, teams) : [],
    containers(ctx, { kind: "space", id: space }),
  ]);
  const known = new Set([...members.map(({ user }) => user), ...teamsHere]);
  const able = members.filter(
    (member) =>
      member.user !== author && permits(levelOfMember(organization, around, member), "space.review"),
  );
  const ableUsers = new Set(able.map(({ user }) => user));
  const ableTeams = new Set(able.flatMap((member) => member.teams));
  const issues: Issue[] = [];
  for (const [at, user] of users.entries()) {
    const path = `body.users.${at}`;
    if (user === author) issues.push({ path, message: "is the author of the change request" });
    else if (!known.has(user)) issues.push({ path, message: NO_MEMBER });
    else if (!ableUsers.has(user))
      issues.push({ path, message: `may not review the space: needs the role ${roleFor("space.review")}` });
  }
  for (const [at, team] of teams.entries()) {
    const path = `body.teams.${at}`;
    if (!known.has(team)) issues.push({ path, message: NO_TEAM });
    else if (!ableTeams.has(team)) issues.push({ path, message: "has nobody else who may review the space" });
  }
  refuseIssues(issues);
  const joined = members
    .filter(({ user }) => users.includes(user))
    .map(({ user, joinedAt }) => [user, joinedAt] as const);
  return new Map([...joined, ...teams.map((team) => [team, null] as const)]);
}

/** 400 for those who are gone since `refuseOthers`; of the others nobody goes until the transaction has ended. */
export async function refuseDeparted(
  ctx: Ctx,
  asked: Asked,
  joined: Map<string, string | null>,
): Promise<void> {
  const { organization, users, teams } = asked;
  const gone = await departed(ctx, organization, joined);
  const issuesAmong = (field: string, ids: string[], message: string) =>
    ids.flatMap((id, at) => (gone.has(id) ? [{ path: `body.${field}.${at}`, message }] : []));
  refuseIssues([...issuesAmong("users", users, NO_MEMBER), ...issuesAmong("teams", teams, NO_TEAM)]);
}

const NO_MEMBER = "is no member of the organization";
const NO_TEAM = "is no team of the organization";

const refuseIssues = (issues: Issue[]) => refuseAll(issues, { reason: "not_a_reviewer" });
