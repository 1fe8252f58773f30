import { router, service } from "../trpc.js";
import * as rules from "./rules.js";
import { Replace } from "./schema.js";

export const visitorIntegrations = router({
  /** Not public: keeps by which integrations visitors of sites can sign in. */
  replace: service("integrations").input(Replace).mutation(rules.replace),
});
