import { id, noContent } from "@octavo/shared/contracts/fields";
import type { z } from "zod";
import { type Ctx, del, get, patch, post, router } from "../../trpc.js";
import { aggregate } from "./rules/aggregate.js";
import { invite } from "./rules/invite.js";
import { listTeams, listUsers } from "./rules/list.js";
import * as rules from "./rules.js";
import {
  Aggregate,
  Invite,
  List,
  OfTeam,
  OfUser,
  TeamPermissions,
  UpdateTeam,
  UpdateUser,
  UserPermissions,
} from "./schema.js";
import type { Target } from "./target.js";

/** The grants on a space or on a collection: one rule each, two mounts. */
function grantRoutes(kind: Target["kind"], Thing: "Space" | "Collection") {
  const base = `/${kind}s/{${kind}Id}/permissions` as const;
  const key = `${kind}Id`;
  // The id that is part of the path; rules are handed it as their target.
  // Cast: the field has a name of its own on each mount, and no rule looks at it.
  const here = <Input extends z.ZodObject>(input: Input) => input.extend({ [key]: id }) as unknown as Input;
  const on =
    <Input extends object, Result>(rule: (call: { ctx: Ctx; target: Target; input: Input }) => Result) =>
    ({ ctx, input }: { ctx: Ctx; input: Input }) =>
      rule({ ctx, input, target: { kind, id: (input as Record<string, string>)[key]! } });

  return router({
    invite: post(base, {
      status: 204,
      operationId: `inviteTo${Thing}`,
      permission: `${kind}.admin`,
      summary: `Grant a role on a ${kind} to members and teams`,
    })
      .input(here(Invite))
      .output(noContent)
      .mutation(on(invite)),
    aggregate: get(`${base}/aggregate`, {
      operationId: `listPermissionsAggregateIn${Thing}`,
      permission: [kind === "space" ? "space.access" : "collection.view", "organization.listMembers"],
      summary: `List everybody who has a role on a ${kind}, wherever it comes from`,
    })
      .input(here(Aggregate))
      .output(UserPermissions)
      .query(on(aggregate)),
    listUsers: get(`${base}/users`, {
      operationId: `listUserPermissionsIn${Thing}`,
      permission: [kind === "space" ? "space.access" : "collection.view", "organization.listMembers"],
      summary: `List the members who were granted a role on a ${kind}`,
    })
      .input(here(List))
      .output(UserPermissions)
      .query(on(listUsers)),
    listTeams: get(`${base}/teams`, {
      operationId: `listTeamPermissionsIn${Thing}`,
      permission: [kind === "space" ? "space.access" : "collection.view", "organization.listMembers"],
      summary: `List the teams that were granted a role on a ${kind}`,
    })
      .input(here(List))
      .output(TeamPermissions)
      .query(on(listTeams)),
    updateUser: patch(`${base}/users/{userId}`, {
      status: 204,
      operationId: `updateUserPermissionIn${Thing}`,
      permission: `${kind}.admin`,
      summary: `Change the role that a member was granted on a ${kind}`,
    })
      .input(here(UpdateUser))
      .output(noContent)
      .mutation(on(rules.updateUser)),
    removeUser: del(`${base}/users/{userId}`, {
      operationId: `removeUserFrom${Thing}`,
      permission: `${kind}.admin`,
      summary: `Take back the role that a member was granted on a ${kind}`,
    })
      .input(here(OfUser))
      .output(noContent)
      .mutation(on(rules.removeUser)),
    updateTeam: patch(`${base}/teams/{teamId}`, {
      status: 204,
      operationId: `updateTeamPermissionIn${Thing}`,
      permission: `${kind}.admin`,
      summary: `Change the role that a team was granted on a ${kind}`,
    })
      .input(here(UpdateTeam))
      .output(noContent)
      .mutation(on(rules.updateTeam)),
    removeTeam: del(`${base}/teams/{teamId}`, {
      operationId: `removeTeamFrom${Thing}`,
      permission: `${kind}.admin`,
      summary: `Take back the role that a team was granted on a ${kind}`,
    })
      .input(here(OfTeam))
      .output(noContent)
      .mutation(on(rules.removeTeam)),
  });
}

export const spaceGrants = grantRoutes("space", "Space");
export const collectionGrants = grantRoutes("collection", "Collection");
