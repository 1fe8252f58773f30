import type { Row } from "../store/redirects.js";
import type { Destination, SiteRedirect } from "./schema.js";

export const view = (row: Row): SiteRedirect => ({
  object: "site-redirect",
  id: row.id,
  source: row.source,
  destination: destinationOf(row),
});

export function destinationOf({ kind, site_section, site_space, page, address }: Row): Destination {
  if (kind === "site-section") return { kind, siteSectionId: site_section! };
  if (kind === "site-space") return { kind, siteSpaceId: site_space! };
  if (kind === "site-page") return { kind, siteSpaceId: site_space!, pageId: page! };
  return kind === "path" ? { kind, path: address! } : { kind, url: address! };
}

/** The columns of a destination. */
export const columnsOf = (destination: Destination) => ({
  kind: destination.kind,
  site_section: "siteSectionId" in destination ? destination.siteSectionId : null,
  site_space: "siteSpaceId" in destination ? destination.siteSpaceId : null,
  page: "pageId" in destination ? destination.pageId : null,
  address: "path" in destination ? destination.path : "url" in destination ? destination.url : null,
});
