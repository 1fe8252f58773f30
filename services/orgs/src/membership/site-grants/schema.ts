import { id, listOf, paging, role, user } from "@octavo/shared/contracts/fields";
import { z } from "zod";

export const Aggregate = z.object({ organizationId: id, siteId: id, ...paging });

const UserSitePermission = z
  .object({
    permission: role,
    user,
    /** What the role is from: nothing is granted on a site itself. */
    origin: z.object({ type: z.literal("organization"), organization: z.string() }),
  })
  .meta({ id: "UserSitePermission" });
export const UserSitePermissions = listOf(UserSitePermission);
