import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { router, shown } from "../../trpc.js";
import * as rules from "./rules.js";
import { GetShownPage, ShownPage } from "./schema.js";

export const shownPages = router({
  /** For the process that shows sites to people. */
  page: shown({ services: [], permission: "space.view" })
    .input(GetShownPage)
    .output(skipOutputValidation(ShownPage))
    .query(rules.page),
});
