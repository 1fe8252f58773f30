import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { ANYBODY } from "@octavo/shared/trpc";
import { get, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { ContentAtUrl, GetContent } from "./schema.js";

export const urls = router({
  getContent: get("/urls/content", {
    operationId: "getContentByUrl",
    permission: ANYBODY,
    summary: "Get the collection, space, change request or page that an address names",
  })
    .input(GetContent)
    .output(skipOutputValidation(ContentAtUrl))
    .query(rules.getContent),
});
