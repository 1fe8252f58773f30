import { id, listOf, paging, role, roleOrGuest, user } from "@octavo/shared/contracts/fields";
import { z } from "zod";

const ids = z.array(id);

/** Those of the people who are members, and the members of the teams. */
export const Find = z.object({
  organizationId: id,
  users: ids.max(100_000).default([]),
  teams: ids.max(10_000).default([]),
});
/**
 * A member as access is decided on: the role (`null` is a guest), and the ids of all teams in the organization.
 * `joinedAt` distinguishes the memberships of somebody who left and came back.
 */
export const Membership = z.object({
  user: z.string(),
  role: roleOrGuest,
  teams: z.array(z.string()),
  joinedAt: z.string(),
});
export type Membership = z.output<typeof Membership>;

/** The members with one of the roles, but for those of `except`; and besides them those of `users`. */
export const List = z.object({
  organizationId: id,
  ...paging,
  roles: z.array(z.union([role, z.literal("guest")])),
  except: ids.max(100_000).default([]),
  users: ids.max(100_000).default([]),
});
export const Listed = listOf(z.object({ user, role: roleOrGuest }));

export const Teams = z.object({ organizationId: id, teams: ids.max(1000) });
