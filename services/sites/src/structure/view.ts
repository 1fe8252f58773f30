import { view as viewGroup, viewItems } from "../section-groups/view.js";
import { view as viewSection } from "../sections/view.js";
import { type Seen, seenIn } from "../site-spaces/seen.js";
import { view as viewSiteSpace } from "../site-spaces/view.js";
import type { Item } from "../tree/order.js";
import type { SiteStructure, SiteStructureItem } from "./schema.js";

/** The structure of a site as the caller sees it: what shows nothing to the caller is not in it. */
export function view(seen: Seen): SiteStructure {
  if (seen.tree.sections.length > 0) return { type: "sections", structure: viewItems(seen, null) };
  const structure = seenIn(seen, null).map((row) => viewSiteSpace(seen, row));
  return { type: "siteSpaces", structure };
}

/** One thing of a structure. */
export function viewItem(seen: Seen, item: Item): SiteStructureItem {
  if ("space" in item) return viewSiteSpace(seen, item);
  return "section_group" in item ? viewSection(seen, item) : viewGroup(seen, item);
}
