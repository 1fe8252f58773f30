import { id, listOf, paging, text, urls } from "@octavo/shared/contracts/fields";
import { HOSTNAME } from "@octavo/shared/contracts/hostnames";
import { z } from "zod";
import { OneSite, siteTitle } from "../access/schema.js";
import { SiteAds } from "../ads/schema.js";

const siteType = z.enum(["basic", "premium", "ultimate", "sponsored", "legacy-basic", "legacy-premium"]);
const siteVisibility = z.enum(["public", "unlisted", "share-link", "visitor-auth"]);
const agentsContext = z.enum(["excluded", "included"]);
const adaptiveContent = z.object({ enabled: z.boolean() });
/** A part of published addresses. Letters, digits and single hyphens: it is never taken for the id of a site. */
const basename = text(100, 1).regex(
  /^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$/,
  "must be letters, digits and single hyphens",
);
const proxyOrigin = text(512).regex(
  /^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/,
  "must be a host and a path such as `example.com/docs`",
);

const hostname = text(512).regex(HOSTNAME, "must be a hostname such as `docs.example.com`, in lower case");

const feature = z.object({
  id: z.string(),
  plan: siteType,
  frozen: z.boolean(),
  customizations: z.array(z.string()).optional(),
});

export const Site = z
  .object({
    object: z.literal("site"),
    id: z.string(),
    type: siteType,
    title: z.string(),
    /** The host that it shall be shown under; `custom-hostnames` says whether it is. */
    hostname: z.string().optional(),
    basename: z.string().optional(),
    proxy: z.object({ origin: z.string(), target: z.string() }).optional(),
    visibility: siteVisibility,
    published: z.boolean(),
    /** How many spaces the site shows. */
    siteSpaces: z.number().int(),
    createdAt: z.string(),
    adaptiveContent,
    agentsContext,
    features: z.array(feature),
    ads: SiteAds,
    /** `published` only while the site is. */
    urls: urls("location", "app").extend({ published: z.string().optional() }),
  })
  .meta({ id: "Site" });
export type Site = z.output<typeof Site>;

export const List = z.object({
  organizationId: id,
  ...paging,
  space: id.optional(),
  /** A part of the title, in any case. */
  title: text(128).optional(),
  published: z.boolean().optional(),
  type: z.array(siteType).max(20).optional(),
});
export const SiteList = listOf(Site);

export const Create = z.object({
  organizationId: id,
  type: siteType.default("basic"),
  title: siteTitle.optional(),
  visibility: siteVisibility.default("public"),
  /** Ids of spaces to show, or which kind of new space to create. */
  spaces: z
    .union([
      z
        .array(id)
        .max(1000)
        .refine((ids) => new Set(ids).size === ids.length, "must not name a space twice"),
      z.enum(["sample", "empty"]),
    ])
    .default([]),
});

export const Update = OneSite.extend({
  title: siteTitle.optional(),
  visibility: siteVisibility.optional(),
  basename: basename.optional(),
  adaptiveContent: adaptiveContent.optional(),
  agentsContext: agentsContext.optional(),
  defaultSiteSpace: id.optional(),
  defaultSiteSection: id.optional(),
  proxy: proxyOrigin.nullable().optional(),
  hostname: hostname.nullable().optional(),
});

export const Lookup = z.object({ ids: z.array(z.string()).max(1000) });

/** What everybody may see of a site; null when it is not for everybody. */
export const PublicView = z.object({ title: z.string(), published: z.string() }).nullable();
