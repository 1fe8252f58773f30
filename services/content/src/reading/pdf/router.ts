import { get, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { GetChangeRequestPdf, GetPdf, Pdf } from "./schema.js";

export const pdf = router({
  get: get("/spaces/{spaceId}/pdf", {
    operationId: "getSpacePDF",
    permission: "space.access",
    scope: "space:content:read",
    summary: "Get the address of a PDF of a space, or of a page",
  })
    .input(GetPdf)
    .output(Pdf)
    .query(rules.get),
});

export const changeRequestPdf = router({
  get: get("/spaces/{spaceId}/change-requests/{changeRequestId}/pdf", {
    operationId: "getChangeRequestPDF",
    permission: "space.access",
    scope: "space:content:read",
    summary: "Get the address of a PDF of a change request, or of a page in it",
  })
    .input(GetChangeRequestPdf)
    .output(Pdf)
    .query(rules.get),
});
