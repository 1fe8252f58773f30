import { noContent } from "@octavo/shared/contracts/fields";
import { internal, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Create, Get, Link, Links, List, Update } from "./schema.js";

/** Not public: content answers for links, which show what they lead to. */
export const linkInvites = router({
  list: internal.input(List).output(Links).query(rules.list),
  create: internal.input(Create).output(Link).mutation(rules.create),
  get: internal.input(Get).output(Link).query(rules.get),
  update: internal.input(Update).output(Link).mutation(rules.update),
  remove: internal.input(Get).output(noContent).mutation(rules.remove),
});
