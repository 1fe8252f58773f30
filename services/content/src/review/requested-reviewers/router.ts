import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, post, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { List, Listed, Remove, Request, Requested } from "./schema.js";

const base = "/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers";

export const requestedReviewers = router({
  list: get(base, {
    operationId: "getRequestedReviewersByChangeRequestId",
    permission: "space.access",
    summary: "List who was asked to review a change request",
  })
    .input(List)
    .output(Listed)
    .query(rules.list),
  request: post(base, {
    status: 200,
    operationId: "requestReviewersForChangeRequest",
    permission: "space.edit",
    summary: "Ask members and teams to review a change request",
  })
    .input(Request)
    .output(Requested)
    .mutation(rules.request),
  remove: del(`${base}/{userId}`, {
    operationId: "removeRequestedReviewerFromChangeRequest",
    permission: "space.edit",
    summary: "Take back a request to review a change request",
  })
    .input(Remove)
    .output(noContent)
    .mutation(rules.remove),
});
