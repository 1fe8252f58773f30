import { router, shown } from "../../trpc.js";
import * as rules from "./rules.js";
import { ListPublished, PublishedFiles } from "./schema.js";

export const publishedFiles = router({
  /** For the process that shows sites to people, of releases that do not ask for `shownPages.space`. */
  list: shown({ services: [], permission: "space.access" })
    .input(ListPublished)
    .output(PublishedFiles)
    .query(rules.list),
});
