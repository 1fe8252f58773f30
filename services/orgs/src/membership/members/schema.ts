import { id, listOf, order, paging, role, roleOrGuest, text } from "@octavo/shared/contracts/fields";
import { type Member, member } from "@octavo/shared/contracts/schemas/member";
import { z } from "zod";

export { type Member, member };

const key = { organizationId: id, userId: id };

export const List = z.object({
  organizationId: id,
  ...paging,
  order,
  role: z.union([role, z.literal("guest")]).optional(),
  search: text(512).optional(),
  sort: z.enum(["joinedAt", "lastSeenAt"]).default("joinedAt"),
});
export const Get = z.object(key);
export const Update = z.object({ ...key, role: roleOrGuest.optional() });
export const Remove = z.object(key);
export const Trust = z.object(key);
export const Ping = z.object({ organizationId: id });
/** A token for visitors is there when the default site of the organization authenticates them. */
export const Pinged = z
  .object({ serviceVisitorClaims: z.string().optional() })
  .meta({ id: "OrganizationMemberPing" });

/** Those of the people who are in the organization. */
export const Lookup = z.object({ organizationId: id, users: z.array(id).max(100_000), ...paging });

export const Members = listOf(member);
