import type { Row } from "../store/releases.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import type { SiteRelease } from "./schema.js";

/** A release, as it is to a site that shows this release or another one. */
export const view = ({ urls }: Ctx, { id: site, organization, release }: Site, row: Row): SiteRelease => ({
  object: "site-release",
  id: row.id,
  title: row.title,
  createdAt: row.created_at,
  pinned: row.id === release,
  spaces: row.spaces,
  urls: { location: urls.api`/orgs/${organization}/sites/${site}/releases/${row.id}` },
});
