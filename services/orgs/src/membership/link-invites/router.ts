import { noContent } from "@octavo/shared/contracts/fields";
import { internal, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Create, Get, Link, Links, List, Update } from "./schema.js";

/** Not public: content serves links, which show what they lead to. */
const ADMINISTERED = { services: [], permission: "organization.admin" } as const;

export const linkInvites = router({
  list: internal({ services: ["content"], permission: "organization.admin" })
    .input(List)
    .output(Links)
    .query(rules.list),
  create: internal(ADMINISTERED).input(Create).output(Link).mutation(rules.create),
  get: internal(ADMINISTERED).input(Get).output(Link).query(rules.get),
  update: internal(ADMINISTERED).input(Update).output(Link).mutation(rules.update),
  remove: internal(ADMINISTERED).input(Get).output(noContent).mutation(rules.remove),
});
