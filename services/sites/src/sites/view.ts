import { adsOf } from "../ads/state.js";
import { proxyTarget, siteUrl } from "../audience/addresses.js";
import type { Row } from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import type { Site } from "./schema.js";

export function view(ctx: Ctx, row: Row): Site {
  const { id, organization, basename, proxy, published } = row;
  return {
    object: "site",
    id,
    type: row.type,
    title: row.title,
    ...(row.hostname !== null && { hostname: row.hostname }),
    ...(basename !== null && { basename }),
    ...(proxy !== null && { proxy: { origin: proxy, target: proxyTarget(ctx, row) } }),
    visibility: row.visibility,
    published,
    siteSpaces: row.site_spaces,
    createdAt: row.created_at,
    adaptiveContent: { enabled: row.adaptive_content },
    agentsContext: row.agents_context,
    features: [],
    ads: adsOf(row),
    urls: {
      location: ctx.urls.api`/orgs/${organization}/sites/${id}`,
      app: ctx.urls.app`/o/${organization}/sites/${id}`,
      ...(published && { published: siteUrl(ctx, row) }),
    },
  };
}
