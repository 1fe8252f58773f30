import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { router, shown } from "../../trpc.js";
import * as rules from "./rules.js";
import { GetShownPage, GetShownSpace, LocatedPage, LocatePage, ShownPage, ShownSpace } from "./schema.js";

/** For the process that shows sites to people, and for sites, which says where addresses lead. */
export const shownPages = router({
  page: shown({ services: [], permission: "space.view" })
    .input(GetShownPage)
    .output(skipOutputValidation(ShownPage))
    .query(rules.page),
  space: shown({ services: [], permission: "space.access" })
    .input(GetShownSpace)
    .output(skipOutputValidation(ShownSpace))
    .query(rules.space),
  locate: shown({ services: ["sites"], permission: "space.view" })
    .input(LocatePage)
    .output(LocatedPage)
    .query(rules.locate),
});
