import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import { OneSite } from "../access/schema.js";
import { Site } from "../sites/schema.js";
import { get, post, router } from "../trpc.js";
import * as rules from "./rules.js";
import { Published, PublishedContentSite } from "./schema.js";

const one = "/orgs/{organizationId}/sites/{siteId}" as const;

export const publishing = router({
  publish: post(`${one}/publish`, {
    status: 200,
    operationId: "publishSite",
    permission: "site.publish",
    also: "To show spaces to more people, `space.admin` on each of them as well.",
    summary: "Publish a site",
  })
    .input(OneSite)
    .output(Site)
    .mutation(rules.publish),
  unpublish: post(`${one}/unpublish`, {
    status: 200,
    operationId: "unpublishSite",
    permission: "site.publish",
    summary: "Take a site offline",
  })
    .input(OneSite)
    .output(Site)
    .mutation(rules.unpublish),
  getPublished: get(`${one}/published`, {
    operationId: "getPublishedContentSite",
    permission: "site.view",
    summary: "Get a published site as its visitors find it",
    reader: true,
  })
    .input(Published)
    .output(skipOutputValidation(PublishedContentSite))
    .query(rules.getPublished),
});
