import { router, service } from "../trpc.js";
import * as rules from "./rules.js";
import { Ensure, Ensured } from "./schema.js";

export const bootstrap = router({
  ensure: service.input(Ensure).output(Ensured).mutation(rules.ensure),
});
