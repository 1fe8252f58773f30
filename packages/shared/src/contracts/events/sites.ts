import { z } from "zod";
import type { Belonging } from "../belonging.js";
import { defineEvent } from "./define.js";

// The aggregate is the site.

const id = z.string();
const site = z.object({ site: id, organization: id });
const shown = site.extend({ visibility: z.string(), spaces: z.array(id) });

/** `spaces` are the ids of the spaces that the site shows. */
export const SitePublished = defineEvent("sites.site.published", shown);
export const SiteUnpublished = defineEvent("sites.site.unpublished", shown);
/** Readers are shown a release from now on instead of what they were shown before; null is the primary content. */
export const SitePinned = defineEvent(
  "sites.site.pinned",
  site.extend({ release: id.nullable(), before: id.nullable() }),
);
export const SiteDeleted = defineEvent("sites.site.deleted", site);
/**
 * Who reaches which space through the site, and where. Sent whole at every change of publication, visibility,
 * addresses or membership, so the last one says all; without spaces once the site is deleted. A site that asks its
 * visitors who they are says how it finds out.
 */
export const SiteAudience = defineEvent(
  "sites.site.audience",
  site.extend({
    published: z.boolean(),
    /** `integration` is the name of the one by which they sign in. */
    visitorAuth: z.object({ backend: z.string(), integration: z.string().optional() }).optional(),
    /** The SHA-256 hashes of the keys of active share links, in base64url; a key stands in addresses behind `root`. */
    shareLinks: z.object({ root: z.string(), keys: z.array(z.string()) }).optional(),
    /** The host that is the site's own, as its DNS says. */
    hostname: z.string().optional(),
    /** How often the audience was narrowed: what renderers were given before, to read with, is worth nothing. */
    epoch: z.number().int().optional(),
    /**
     * `conditions` are what a visitor has to meet, all of them, to be shown the space; `revision` is the one that a pinned
     * release shows, without which the primary content is shown.
     */
    spaces: z.array(
      z.object({
        space: id,
        visibility: z.string(),
        url: z.string(),
        conditions: z.array(z.string()).optional(),
        revision: id.optional(),
      }),
    ),
  }),
);
const visit = z.object({
  url: z.string(),
  referrer: z.string(),
  page: id.optional(),
  siteSpace: id.optional(),
  space: id.optional(),
  visitor: z.object({
    anonymousId: z.string(),
    userAgent: z.string(),
    ip: z.string(),
    language: z.string().optional(),
  }),
});
/** What visitors of a site did that integrations may be notified of: the pages that they viewed, and their feedback. */
export const SiteVisited = defineEvent(
  "sites.site.visited",
  site.extend({
    views: z.array(visit),
    feedback: z.array(
      visit.extend({ rating: z.enum(["bad", "ok", "good"]), comment: z.string().optional() }),
    ),
  }),
);
/** For what sites seals the key of a site, and orgs opens it. */
export const keyOfSite = (site: string, organization: string): Belonging => ({
  kind: "site.privateKey",
  id: site,
  organization,
});

/**
 * A site was created, or who reaches it changed, or how it finds out who its visitors are; the last one says all. The
 * key that tokens of visitors are signed with is sealed with the secret key of the deployment.
 */
export const SiteChanged = defineEvent(
  "sites.site.changed",
  site.extend({
    visibility: z.string(),
    auth: z.object({ backend: z.enum(["custom", "integration"]), privateKey: z.string() }).optional(),
  }),
);

/** What an installation signs tokens of a site's visitors with counts no more: it needs another key. */
export const SiteKeyReplaced = defineEvent("sites.site.keyReplaced", site.extend({ installation: id }));
