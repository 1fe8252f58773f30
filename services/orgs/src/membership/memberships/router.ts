import { id } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { router, service } from "../../trpc.js";
import * as rules from "./rules.js";
import { Find, List, Listed, Membership, Teams } from "./schema.js";

export const memberships = router({
  find: service("content", "integrations").input(Find).output(Membership.array()).query(rules.find),
  list: service("content").input(List).output(Listed).query(rules.list),
  /** Those of the teams that there are in the organization. */
  teams: service("content").input(Teams).output(z.array(id)).query(rules.teams),
});
