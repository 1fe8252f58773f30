import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { ComputeDocument, ComputedDocument, ComputedRevision, ComputeRevision } from "./schema.js";

const also = "Both are required: the source may name any specification of the organization.";

export const computed = router({
  revision: post("/spaces/{spaceId}/content/computed/revision", {
    status: 200,
    operationId: "getComputedRevision",
    permission: ["space.access", "openAPISpec.view"],
    also,
    summary: "Compute the pages of a source",
  })
    .input(ComputeRevision)
    .output(skipOutputValidation(ComputedRevision))
    .query(rules.revision),
  document: post("/spaces/{spaceId}/content/computed/document", {
    status: 200,
    operationId: "getComputedDocument",
    permission: ["space.access", "openAPISpec.view"],
    also,
    summary: "Compute the document of one page of a source",
    query: ["schema"],
  })
    .input(ComputeDocument)
    .output(skipOutputValidation(ComputedDocument))
    .query(rules.document),
});
