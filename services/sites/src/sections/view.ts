import { sectionUrl } from "../audience/addresses.js";
import { type Seen, seenIn } from "../site-spaces/seen.js";
import { view as viewSiteSpace } from "../site-spaces/view.js";
import type { Section } from "../tree/tree.js";
import type { SiteSection } from "./schema.js";

/** A section with those of its site spaces that the caller sees. */
export function view(seen: Seen, row: Section): SiteSection {
  const { description, condition, section_group: group, icon } = row;
  return {
    object: "site-section",
    id: row.id,
    title: row.title,
    ...(description !== null && { description }),
    default: row.is_default,
    path: row.path,
    ...(condition !== null && { condition }),
    ...(group !== null && { sectionGroup: group }),
    siteSpaces: seenIn(seen, row.id).map((each) => viewSiteSpace(seen, each)),
    urls: seen.site.published ? { published: sectionUrl(seen.address, row) } : {},
    ...(icon !== null && { icon }),
  };
}
