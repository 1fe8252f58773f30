import { transact } from "@octavo/shared/database/transact";
import { refuse, refuseAll } from "@octavo/shared/errors";
import type { Ctx } from "../../../trpc.js";
import { changeGrants } from "../change.js";
import { departed } from "../departures.js";
import * as queries from "../queries.js";
import type { Invite } from "../schema.js";
import { type CallOn, lockAdministered } from "../target.js";

/**
 * Grants a role to users and teams, instead of what they were granted here before; null takes that away. 400 for
 * nobody, 403 for a role above the caller's own, 404 for who is not in the organization, 409 when the thing is
 * transferred meanwhile.
 */
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
    await changeGrants(ctx, target, [...joined.keys()], role, async (ctx, owner) => {
      if (owner !== organization) refuse("CONFLICT", "Permission: its organization changed in the meantime");
      if (role === null) return queries.remove(ctx, target.id, [...joined.keys()]);
      const kinds = new Set(users);
      const grants = [...joined].map(([subject, joined_at]) => ({
        target: target.id,
        organization,
        subject,
        role,
        created_at,
        joined_at,
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
