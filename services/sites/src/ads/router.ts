import { noContent } from "@octavo/shared/contracts/fields";
import { post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Request } from "./schema.js";

export const ads = router({
  request: post("/orgs/{organizationId}/sites/{siteId}/ads", {
    status: 204,
    operationId: "updateSiteAdsById",
    permission: "site.manageAds",
    summary: "Ask for ads on a site, or end them",
  })
    .input(Request)
    .output(noContent)
    .mutation(rules.request),
});
