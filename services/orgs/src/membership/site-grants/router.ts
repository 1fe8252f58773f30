import { get, router } from "../../trpc.js";
import * as rules from "./rules.js";
import { Aggregate, UserSitePermissions } from "./schema.js";

export const siteGrants = router({
  aggregate: get("/orgs/{organizationId}/sites/{siteId}/permissions/aggregate", {
    operationId: "listPermissionsAggregateInSite",
    permission: "organization.listMembers",
    summary: "List everybody who has a role on a site, wherever it comes from",
  })
    .input(Aggregate)
    .output(UserSitePermissions)
    .query(rules.aggregate),
});
