import { id, listOf, paging, role, roleOrGuest } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { Target } from "../invites/schema.js";

const organization = { organizationId: id };
const key = { ...organization, inviteId: id };

/** The links to the organization, or those to one space or collection; with `roles`, those that give one of them or none. */
export const List = z.object({
  ...organization,
  ...paging,
  target: Target.optional(),
  roles: z.array(role).max(10).optional(),
});
export const Get = z.object(key);
/** `role` is the one in the organization, or the level on the content. */
export const Create = z.object({ ...organization, role: roleOrGuest, target: Target.optional() });
export const Update = z.object({ ...key, role: roleOrGuest });

export const Link = z.object({
  id: z.string(),
  role: roleOrGuest,
  target: Target.optional(),
  /** Whether it gives nothing that those who may use it cannot have without it. */
  redundant: z.boolean(),
});
export type Link = z.output<typeof Link>;
export const Links = listOf(Link);
