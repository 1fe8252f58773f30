import { noContent } from "@octavo/shared/contracts/fields";
import { del, get, patch, put, router } from "../trpc.js";
import * as site from "./rules/site.js";
import * as siteSpace from "./rules/site-space.js";
import {
  Get,
  GetOfSiteSpace,
  OneSiteSpace,
  SiteCustomizationSettings,
  Update,
  UpdateOfSiteSpace,
} from "./schema.js";

const ofSite = "/orgs/{organizationId}/sites/{siteId}/customization" as const;
const ofSiteSpace = "/orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/customization" as const;

export const customization = router({
  get: get(ofSite, {
    operationId: "getSiteCustomizationById",
    permission: "site.view",
    summary: "Get how a site looks",
    reader: true,
  })
    .input(Get)
    .output(SiteCustomizationSettings)
    .query(site.get),
  update: put(ofSite, {
    operationId: "updateSiteCustomizationById",
    permission: "site.customize",
    summary: "Replace how a site looks",
  })
    .input(Update)
    .output(SiteCustomizationSettings)
    .mutation(site.update),
});

export const siteSpaceCustomization = router({
  get: get(ofSiteSpace, {
    operationId: "getSiteSpaceCustomizationById",
    permission: "site.view",
    also: "And `space.view` on the space.",
    summary: "Get how a site space looks",
    reader: true,
  })
    .input(GetOfSiteSpace)
    .output(SiteCustomizationSettings)
    .query(siteSpace.get),
  update: patch(ofSiteSpace, {
    operationId: "overrideSiteSpaceCustomizationById",
    permission: "site.customize",
    also: "And `space.view` on the space.",
    summary: "Change what of a site space looks otherwise than its site",
  })
    .input(UpdateOfSiteSpace)
    .output(SiteCustomizationSettings)
    .mutation(siteSpace.update),
  remove: del(ofSiteSpace, {
    operationId: "deleteSiteSpaceCustomizationById",
    permission: "site.customize",
    also: "And `space.view` on the space.",
    summary: "Make a site space look like its site",
  })
    .input(OneSiteSpace)
    .output(noContent)
    .mutation(siteSpace.remove),
});
