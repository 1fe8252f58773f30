import { id, listOf, paging, timestamp, user } from "@octavo/shared/contracts/fields";
import { z } from "zod";

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
