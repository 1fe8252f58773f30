import { get, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { ChangeRequestChanges, OfChangeRequest, OfRevision, SemanticChanges } from "./schema.js";

export const changes = router({
  ofChangeRequest: get("/spaces/{spaceId}/change-requests/{changeRequestId}/changes", {
    operationId: "getChangeRequestChanges",
    permission: "space.access",
    summary: "List what a change request changes, page by page and file by file",
    scope: "space:content:read",
  })
    .input(OfChangeRequest)
    .output(ChangeRequestChanges)
    .query(rules.ofChangeRequest),
  ofRevision: get("/spaces/{spaceId}/revisions/{revisionId}/changes", {
    operationId: "getRevisionSemanticChanges",
    permission: "space.access",
    summary: "List what a revision changed, page by page and file by file",
    scope: "space:content:read",
  })
    .input(OfRevision)
    .output(SemanticChanges)
    .query(rules.ofRevision),
});
