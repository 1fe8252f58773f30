import { refuseAt } from "@octavo/shared/errors";
import { type Group, itemsIn, type Section, type SiteSpace, siteSpacesIn, type Tree } from "./tree.js";

// The one order of everything in a structure: things are moved between the positions of their siblings, and numbered
// anew when the change is normalized. Whoever moves holds the lock of the site.

export type Item = Group | Section | SiteSpace;
export type Kind = "site-space" | "site-section" | "site-section-group";

/** A sibling that something is put before or after. */
export interface Pointer {
  type: Kind;
  id: string;
}

export interface Position {
  before?: Pointer;
  after?: Pointer;
}

export const kindOf = (item: Item): Kind => {
  if ("space" in item) return "site-space";
  return "section_group" in item ? "site-section" : "site-section-group";
};

/** What stands in one order with an item: it lies at the same place of the structure. */
function listOf(tree: Tree, item: Item): Item[] {
  if ("space" in item) return siteSpacesIn(tree, item.section);
  return itemsIn(tree, "section_group" in item ? item.section_group : item.parent);
}

/** A position behind all that lies at the root or in a group. */
export const endOf = (items: { position: number }[]): number =>
  items.reduce((last, { position }) => Math.max(last, position), 0) + 1;

/**
 * Moves an item among its siblings, to the end when the position names nothing. 400 `invalid_position` for two places
 * at once, for the item itself, and for what is no sibling of it.
 */
export function move(tree: Tree, item: Item, { before, after }: Position = {}): void {
  const siblings = listOf(tree, item);
  if (before && after) refusePosition("body.position", "takes `before` or `after`, not both");
  const pointer = before ?? after;
  if (!pointer) {
    item.position = endOf(siblings);
    return;
  }
  const path = `body.position.${before ? "before" : "after"}`;
  if (pointer.id === item.id) refusePosition(path, "is the thing that is moved");
  const target = siblings.find(({ id }) => id === pointer.id);
  if (!target || kindOf(target) !== pointer.type)
    refusePosition(path, `is no ${pointer.type} in the same list`);
  // Positions are whole numbers until the change is normalized, so that nothing stands in between.
  item.position = target.position + (before ? -0.5 : 0.5);
}

function refusePosition(path: string, message: string): never {
  refuseAt(path, message, { reason: "invalid_position" });
}
