import { OneSite } from "../access/schema.js";
import { get, patch, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { PublishingAuth, Update } from "./schema.js";

const auth = "/orgs/{organizationId}/sites/{siteId}/publishing/auth" as const;

export const publishingAuth = router({
  get: get(auth, {
    operationId: "getSitePublishingAuthById",
    permission: "site.manageAuth",
    also: "And `space.admin` on every space that the site shows.",
    summary: "Get how a site finds out who its visitors are",
  })
    .input(OneSite)
    .output(PublishingAuth)
    .query(rules.get),
  update: patch(auth, {
    operationId: "updateSitePublishingAuthById",
    permission: "site.manageAuth",
    also: "And `space.admin` on every space that the site shows.",
    summary: "Change how a site finds out who its visitors are",
  })
    .input(Update)
    .output(PublishingAuth)
    .mutation(rules.update),
  regenerate: post(`${auth}/regenerate`, {
    status: 200,
    operationId: "regenerateSitePublishingAuthById",
    permission: "site.manageAuth",
    also: "And `space.admin` on every space that the site shows.",
    summary: "Replace the key that signs who a site's visitors are",
  })
    .input(OneSite)
    .output(PublishingAuth)
    .mutation(rules.regenerate),
});
