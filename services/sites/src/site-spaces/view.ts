import type { Space } from "@octavo/shared/contracts/schemas/space";
import { variantUrl } from "../audience/addresses.js";
import type { Row } from "../store/site-spaces.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import type { SiteSpace } from "./schema.js";

export function view(ctx: Ctx, site: Site, row: Row, space: Space): SiteSpace {
  return {
    object: "site-space",
    id: row.id,
    path: row.path,
    space,
    title: space.title,
    default: row.is_default,
    hasAdvancedCustomizationFeature: row.advanced_customization,
    urls: site.published ? { published: variantUrl(ctx, site, row) } : {},
  };
}
