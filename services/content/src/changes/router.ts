import { get, router } from "../trpc.js";
import * as rules from "./rules.js";
import { ChangeRequestChanges, OfChangeRequest, OfRevision, SemanticChanges } from "./schema.js";

export const changes = router({
  ofChangeRequest: get("/spaces/{spaceId}/change-requests/{changeRequestId}/changes", {
    operationId: "getChangeRequestChanges",
  })
    .input(OfChangeRequest)
    .output(ChangeRequestChanges)
    .query(rules.ofChangeRequest),
  ofRevision: get("/spaces/{spaceId}/revisions/{revisionId}/changes", {
    operationId: "getRevisionSemanticChanges",
  })
    .input(OfRevision)
    .output(SemanticChanges)
    .query(rules.ofRevision),
});
