import { get, post, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { List, Listed, Review, Submit } from "./schema.js";

const base = "/spaces/{spaceId}/change-requests/{changeRequestId}/reviews";

export const reviews = router({
  list: get(base, {
    operationId: "getReviewsByChangeRequestId",
    permission: "space.access",
    summary: "List the reviews of a change request",
  })
    .input(List)
    .output(Listed)
    .query(rules.list),
  submit: post(base, {
    operationId: "submitChangeRequestReview",
    permission: "space.review",
    summary: "Review a change request: approve it or ask for changes",
  })
    .input(Submit)
    .output(Review)
    .mutation(rules.submit),
});
