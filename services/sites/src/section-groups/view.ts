import type { SiteSection } from "../sections/schema.js";
import { isSeen } from "../sections/seen.js";
import { view as viewSection } from "../sections/view.js";
import type { Seen } from "../site-spaces/seen.js";
import { type Group, itemsIn } from "../tree/tree.js";
import type { SiteSectionGroup } from "./schema.js";

/** A group with those of its sections in which the caller sees anything. */
export function view(seen: Seen, row: Group): SiteSectionGroup {
  const children = viewItems(seen, row.id);
  const sections = children.filter((child) => child.object === "site-section");
  return {
    object: "site-section-group",
    id: row.id,
    title: row.title,
    sections,
    ...(row.parent !== null && { sectionGroup: row.parent }),
    ...(sections.length < children.length && { children }),
    ...(row.icon !== null && { icon: row.icon }),
  };
}

/** What the caller sees at the root or in a group, in its order; groups with nothing in them are not shown. */
export function viewItems(seen: Seen, group: string | null): (SiteSection | SiteSectionGroup)[] {
  return itemsIn(seen.tree, group).flatMap((item): (SiteSection | SiteSectionGroup)[] => {
    if ("section_group" in item) return isSeen(seen, item) ? [viewSection(seen, item)] : [];
    const inner = view(seen, item);
    return inner.sections.length > 0 || inner.children ? [inner] : [];
  });
}
