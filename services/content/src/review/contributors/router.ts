import { get, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { List, Listed } from "./schema.js";

export const contributors = router({
  list: get("/spaces/{spaceId}/change-requests/{changeRequestId}/contributors", {
    operationId: "getContributorsByChangeRequestId",
    permission: "space.access",
    summary: "List who contributed to a change request",
  })
    .input(List)
    .output(Listed)
    .query(rules.list),
});
