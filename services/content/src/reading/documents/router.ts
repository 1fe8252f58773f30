import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { JSONDocument } from "../../documents/document-schema.js";
import { get, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { GetDocument } from "./schema.js";

export const documents = router({
  get: get("/spaces/{spaceId}/documents/{documentId}", {
    operationId: "getDocumentById",
    permission: "space.access",
    summary: "Get a document by its id",
    scope: "space:content:read",
  })
    .input(GetDocument)
    .output(skipOutputValidation(JSONDocument))
    .query(rules.get),
});
