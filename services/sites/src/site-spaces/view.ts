import { found } from "@octavo/shared/errors";
import { siteSpaceUrl } from "../audience/addresses.js";
import type { SiteSpace as Row } from "../tree/tree.js";
import type { SiteSpace } from "./schema.js";
import type { Seen } from "./seen.js";

/** A site space that the caller sees; 404 where its space is gone meanwhile. */
export function view({ site, tree, spaces, address }: Seen, row: Row): SiteSpace {
  const space = found(spaces.get(row.space), "Space");
  return {
    object: "site-space",
    id: row.id,
    path: row.path,
    ...(row.section !== null && { section: row.section }),
    space,
    title: space.title,
    default: row.is_default,
    hasAdvancedCustomizationFeature: row.advanced_customization,
    ...(row.condition !== null && { condition: row.condition }),
    urls: site.published ? { published: siteSpaceUrl(address, tree, row) } : {},
  };
}
