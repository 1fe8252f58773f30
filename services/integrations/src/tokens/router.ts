import { router, service } from "../trpc.js";
import * as rules from "./rules.js";
import { Resolve, Resolved } from "./schema.js";

export const tokens = router({
  /** Not public: tells the gateway what a bearer token of an integration stands for; null when it is none. */
  resolve: service.input(Resolve).output(Resolved).query(rules.resolve),
});
