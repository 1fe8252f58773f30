import { noContent } from "@octavo/shared/contracts/fields";
import { router, service } from "../../trpc.js";
import * as rules from "./rules.js";
import { Ensure, Ensured, Vouch } from "./schema.js";

export const bootstrap = router({
  vouch: service("launcher").input(Vouch).output(noContent).mutation(rules.vouch),
  ensure: service("launcher").input(Ensure).output(Ensured).mutation(rules.ensure),
});
