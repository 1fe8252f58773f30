// A grant gives a user or a team a role on one space or collection, before all that it would inherit.

import type { Role } from "@octavo/shared/contracts/roles";
import type { Team } from "@octavo/shared/contracts/schemas/team";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse, refuseAll } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import type { z } from "zod";
import { personView } from "../../people/view.js";
import { allowIn } from "../../permissions.js";
import type { Ctx } from "../../trpc.js";
import { departed } from "./departures.js";
import { refuseAbove, withinOwnLevel } from "./own-level.js";
import * as queries from "./queries.js";
import { recordGrants } from "./record.js";
import type { Invite, List, OfTeam, OfUser, UpdateTeam, UpdateUser } from "./schema.js";
import { loadTarget, lockAdministered, type Target } from "./target.js";

/** A call about a space or a collection, whichever its path names. */
export interface CallOn<Input extends z.ZodType> {
  ctx: Ctx;
  target: Target;
  input: z.output<Input>;
}

/** Grants are shown to whoever reads the thing, but for guests, who see no other members. */
export async function loadForMembers(ctx: Ctx, target: Target): Promise<string> {
  const organization = await loadTarget(ctx, target);
  allowIn(ctx, organization, "organization.listMembers", "Members");
  return organization;
}

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

/** Grants the role to all of them, instead of what they were granted here before; null takes that away. */
export async function invite({
  ctx,
  target,
  input: { users = [], teams = [], role },
}: CallOn<typeof Invite>) {
  if (users.length + teams.length === 0) refuseNobody();
  const { organization } = await transact(ctx, (ctx) => lockAdministered(ctx, target, role, "use"));
  const joined = await membershipsOf(ctx, organization, users, teams);
  refuseStrangers(users, teams, (subject) => joined.has(subject));
  const created_at = ctx.clock();
  await transact(ctx, async (ctx) => {
    const gone = await departed(ctx, organization, joined);
    refuseStrangers(users, teams, (subject) => !gone.has(subject));
    await change(ctx, target, [...joined.keys()], role, async (ctx, owner) => {
      if (owner !== organization) refuse("CONFLICT", "Permission: its organization changed in the meantime");
      if (role === null) return queries.remove(ctx, target.id, [...joined.keys()]);
      const kinds = new Set(users);
      const grants = [...joined].map(([subject, joined_at]) => ({
        ...{ target: target.id, organization, subject, role, created_at, joined_at },
        subject_kind: kinds.has(subject) ? ("user" as const) : ("team" as const),
      }));
      return queries.put(ctx, grants);
    });
  });
}

function refuseNobody(): never {
  const message = "takes `users` or `teams`";
  const issues = ["body.users", "body.teams"].map((path) => ({ path, message }));
  refuse("BAD_REQUEST", `body: ${message}`, { issues });
}

/** Those of the users and teams who belong to the organization; of users, since when. */
async function membershipsOf(ctx: Ctx, organization: string, users: string[], teams: string[]) {
  const [members, here] = await Promise.all([
    users.length > 0 ? ctx.orgs.memberships(ctx, organization, { users }) : [],
    teams.length > 0 ? ctx.orgs.teamsIn(ctx, organization, teams) : [],
  ]);
  const joined = new Map<string, string | null>(here.map((team) => [team, null]));
  for (const { user, joinedAt } of members) joined.set(user, joinedAt);
  return joined;
}

/** 404 for whoever is no member, and for teams of elsewhere. */
function refuseStrangers(users: string[], teams: string[], belongs: (subject: string) => boolean) {
  const missing = (field: string, ids: string[], what: string) =>
    ids.flatMap((id, index) =>
      belongs(id) ? [] : [{ path: `body.${field}.${index}`, message: `${what} in the organization` }],
    );
  const issues = [...missing("users", users, "is no member"), ...missing("teams", teams, "is no team")];
  refuseAll(issues, { code: "NOT_FOUND", reason: "unknown_member" });
}

/** Changes a user's role here, null takes it away; 404 when nothing is granted, 403 for a role above the caller's. */
export const updateUser = ({ ctx, target, input: { userId, role } }: CallOn<typeof UpdateUser>) =>
  update(ctx, target, { kind: "user", id: userId, role });

/** Changes a team's role here, null takes it away; 404 when nothing is granted, 403 for a role above the caller's. */
export const updateTeam = ({ ctx, target, input: { teamId, role } }: CallOn<typeof UpdateTeam>) =>
  update(ctx, target, { kind: "team", id: teamId, role });

/** Takes back what a user is granted here; 403 for a role above the caller's. No error when there is none. */
export const removeUser = ({ ctx, target, input: { userId } }: CallOn<typeof OfUser>) =>
  revoke(ctx, target, { kind: "user", id: userId });

/** Takes back what a team is granted here; 403 for a role above the caller's. No error when there is none. */
export const removeTeam = ({ ctx, target, input: { teamId } }: CallOn<typeof OfTeam>) =>
  revoke(ctx, target, { kind: "team", id: teamId });

interface Subject {
  kind: "user" | "team";
  id: string;
}

/** Changes what is granted; without a role it stays as it is, null takes it away. */
async function update(ctx: Ctx, target: Target, { role, ...subject }: Subject & { role?: Role | null }) {
  await change(ctx, target, [subject.id], role ?? null, async (ctx, _, held) => {
    found(held.find(sameAs(subject)), "Permission");
    if (role === undefined) return;
    if (role === null) return queries.remove(ctx, target.id, [subject.id]);
    return queries.setRole(ctx, target.id, subject.id, role);
  });
}

/** Takes away what is granted directly; what is inherited stays. */
async function revoke(ctx: Ctx, target: Target, subject: Subject) {
  await change(ctx, target, [subject.id], null, async (ctx, _, held) => {
    if (held.some(sameAs(subject))) await queries.remove(ctx, target.id, [subject.id]);
  });
}

const sameAs = (subject: Subject) => (grant: { subject: string; subject_kind: string }) =>
  grant.subject === subject.id && grant.subject_kind === subject.kind;

type Held = Awaited<ReturnType<typeof queries.held>>;

/** Runs a change of what the subjects hold, for a caller who has all of it and the new role themselves. */
function change(
  ctx: Ctx,
  target: Target,
  subjects: string[],
  role: Role | null,
  write: (ctx: Ctx, organization: string, held: Held) => Promise<unknown>,
): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { organization, containers, level } = await lockAdministered(ctx, target, role, "change");
    const held = await queries.held(ctx, target.id, subjects);
    for (const grant of held) refuseAbove(level, grant.role);
    await withinOwnLevel(ctx, target, { organization, containers }, () => write(ctx, organization, held));
    await recordGrants(ctx, target, organization, held, await queries.held(ctx, target.id, subjects));
  });
}
