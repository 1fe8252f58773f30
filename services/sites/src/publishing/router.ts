import { OneSite } from "../access/schema.js";
import { Site } from "../sites/schema.js";
import { get, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Published, PublishedContentSite } from "./schema.js";

const one = "/orgs/{organizationId}/sites/{siteId}" as const;

export const publishing = router({
  publish: post(`${one}/publish`, { status: 200, operationId: "publishSite", summary: "Publish a site" })
    .input(OneSite)
    .output(Site)
    .mutation(rules.publish),
  unpublish: post(`${one}/unpublish`, {
    status: 200,
    operationId: "unpublishSite",
    summary: "Take a site offline",
  })
    .input(OneSite)
    .output(Site)
    .mutation(rules.unpublish),
  getPublished: get(`${one}/published`, {
    operationId: "getPublishedContentSite",
    summary: "Get a published site as its visitors find it",
  })
    .input(Published)
    .output(PublishedContentSite)
    .query(rules.getPublished),
});
