import { get, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Get, SitePreview } from "./schema.js";

export const preview = router({
  get: get("/orgs/{organizationId}/sites/{siteId}/publishing/preview", {
    operationId: "getSitePublishingPreviewById",
    permission: "site.preview",
    also: "And `space.admin` on every space that the site shows.",
    summary: "Get an address at which a site can be seen for an hour, published or not",
  })
    .input(Get)
    .output(SitePreview)
    .query(rules.get),
});
