import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { router, shown } from "../../trpc.js";
import * as rules from "./rules.js";
import { OfPage, OperationsOfPage } from "./schema.js";

/** What pages show of specifications, for whoever draws them. */
export const shownOperations = router({
  ofPage: shown({ services: [], permission: "space.view" })
    .input(OfPage)
    .output(skipOutputValidation(OperationsOfPage))
    .query(rules.ofPage),
});
