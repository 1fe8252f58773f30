import { z } from "zod";
import { defineEvent } from "../define.js";

// The aggregate is the site.

const id = z.string();
const site = z.object({ site: id, organization: id });
const shown = site.extend({ visibility: z.string(), spaces: z.array(id) });

/** `spaces` are the ids of the spaces that the site shows. */
export const SitePublished = defineEvent("sites.site.published", shown);
export const SiteUnpublished = defineEvent("sites.site.unpublished", shown);
export const SiteSpacesChanged = defineEvent(
  "sites.site.spacesChanged",
  site.extend({ spaces: z.array(id) }),
);
export const SiteDeleted = defineEvent("sites.site.deleted", site);
/**
 * Who reaches which space through the site, and where. Sent whole at every change of publication, visibility,
 * addresses or membership, so the last one says all; without spaces once the site is deleted.
 */
export const SiteAudience = defineEvent(
  "sites.site.audience",
  site.extend({
    published: z.boolean(),
    spaces: z.array(z.object({ space: id, visibility: z.string(), url: z.string() })),
  }),
);
/** What tokens of visitors are signed with, sealed with the secret key of the deployment; the last one counts. */
export const SiteVisitorAuth = defineEvent("sites.site.visitorAuth", site.extend({ privateKey: z.string() }));
