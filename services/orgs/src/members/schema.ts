import {
  id,
  listOf,
  order,
  paging,
  role,
  roleOrGuest,
  text,
  timestamp,
  user,
  z,
} from "@octavo/shared/fields";

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
export const Pinged = z.object({ serviceVisitorClaims: z.string().optional() });

export const Member = z
  .object({
    object: z.literal("member"),
    id: z.string(),
    role: roleOrGuest,
    user,
    disabled: z.boolean(),
    joinedAt: timestamp,
    lastSeenAt: timestamp.optional(),
    sso: z.boolean(),
    spaces: z.number().int(),
    teams: z.number().int(),
  })
  .meta({ id: "OrganizationMember" });
export type Member = z.output<typeof Member>;

export const Members = listOf(Member);
