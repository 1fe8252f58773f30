import { type Level, ROLES } from "@octavo/shared/contracts/roles";
import type { Membership } from "../../../orgs/orgs.js";
import { permits } from "../../../permissions.js";
import { type Granting, levelOfMember } from "../member-level.js";
import * as queries from "../queries.js";
import type { Aggregate } from "../schema.js";
import { type CallOn, loadForMembers } from "../target.js";

/**
 * Everybody who may do something with a space or collection, with what that is, whoever it comes from. Only those
 * whom a grant (or having created it) may concern are decided on one by one; all others by their role.
 */
export async function aggregate({ ctx, target, input }: CallOn<typeof Aggregate>) {
  const { role, page, limit } = input;
  const organization = await loadForMembers(ctx, target);
  const containers = await queries.containers(ctx, target);
  const levelOf = (member: Membership) => levelOfMember(organization, containers, member);
  const concerned = await ctx.orgs.memberships(ctx, organization, subjectsIn(containers));
  const levels = new Map(concerned.map((member) => [member.user, levelOf(member)]));
  const ofRole = new Map([null, ...ROLES].map((role) => [role, levelOf({ user: "", role, teams: [] })]));

  const wanted = (level: Level) => (role ? level === role : permits(level, "space.access"));
  const those = <Key>(found: Map<Key, Level>) => [...found.keys()].filter((key) => wanted(found.get(key)));
  const choice = { roles: those(ofRole), except: [...levels.keys()], users: those(levels), page, limit };
  const members = await ctx.orgs.members(ctx, organization, choice);
  const items = members.items.flatMap(({ user, role }) => {
    const permission = levels.has(user.id) ? levels.get(user.id) : ofRole.get(role);
    return permission ? [{ permission, user }] : [];
  });
  return { ...members, items };
}

function subjectsIn(containers: Granting[]) {
  const grants = containers.flatMap(({ grants }) => grants);
  const granted = (kind: "user" | "team") =>
    grants.filter((grant) => grant.kind === kind).map(({ subject }) => subject);
  const creators = containers.map(({ created_by }) => created_by);
  return { users: [...new Set([...granted("user"), ...creators])], teams: [...new Set(granted("team"))] };
}
