import { id, listOf, paging, timestamp, user, z } from "@octavo/shared/fields";

const Contributor = z
  .object({
    user,
    count: z.number().int(),
    updatedAt: timestamp,
    actionType: z.enum(["edit", "comment"]),
  })
  .meta({ id: "UserContributor" });

export const List = z.object({ spaceId: id, changeRequestId: id, ...paging });
export const Listed = listOf(Contributor);
