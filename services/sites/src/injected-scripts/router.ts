import { router, service } from "../trpc.js";
import * as rules from "./rules.js";
import { Replace } from "./schema.js";

export const injectedScripts = router({
  /** Not public: keeps what installations put into the pages of sites. */
  replace: service("integrations").input(Replace).mutation(rules.replace),
});
