import { siteUrl } from "../audience/addresses.js";
import { belongingOfKey } from "../audience/share-key.js";
import type { Row } from "../store/share-links.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import type { ShareLink } from "./schema.js";

export function view(ctx: Ctx, site: Site, row: Row): ShareLink {
  const { id, name, active } = row;
  const opened = () => {
    const share_key = ctx.vault.open(row.key, belongingOfKey(id, site.organization));
    return { published: siteUrl(ctx, { ...site, share_key }) };
  };
  return {
    object: "share-link",
    id,
    createdAt: row.created_at,
    name,
    active,
    urls: active && site.published ? opened() : {},
  };
}
