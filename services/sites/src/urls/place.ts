import { type Claims, isVisible } from "../claims/claims.js";
import { pathKey, pathOf } from "../tree/paths.js";
import { isShown, type SiteSpace, type Tree } from "../tree/tree.js";
import type { Segment } from "./address.js";

/** The site space that an address leads to. */
export interface ResolvedSiteSpace {
  siteSpace: SiteSpace;
  /** Its path behind the root of the site, as it is published. */
  path: readonly string[];
  /** Whether an address that goes on from this one leads to the same site space. */
  complete: boolean;
  /** Segments, in lower case, that may follow the path of the site space and lead to another one, or to nothing. */
  others: readonly string[];
}

/** A site space at its path. */
interface Place {
  siteSpace: SiteSpace;
  path: readonly string[];
  /** Those of its section and its own. */
  conditions: (string | null | undefined)[];
}

interface Places {
  byPath: Map<string, Place>;
  /** Paths below which there are site spaces, with the segments that follow them there. */
  above: Map<string, readonly string[]>;
  deepest: number;
}

/** Trees that are read do not change. */
const remembered = new WeakMap<Tree, Places>();

/**
 * Finds the site space at a path behind the root of a site, of those that a visitor with these claims is shown: the inverse
 * of `tree/paths.ts`, by the longest path that the address begins with. Undefined where the visitor is shown nothing.
 */
export function placeAt(
  tree: Readonly<Tree>,
  address: Segment[],
  claims: Claims,
): ResolvedSiteSpace | undefined {
  const { byPath, above, deepest } = placesOf(tree);
  const given = address.map(({ text }) => text);
  for (let depth = Math.min(given.length, deepest); depth >= 0; depth -= 1) {
    const key = pathKey(given.slice(0, depth));
    const place = byPath.get(key);
    if (place?.path.length !== depth) continue;
    // What is hidden from a visitor is not replaced by what would lie above it.
    if (!place.conditions.every((one) => isVisible(one, claims))) return undefined;
    const { siteSpace, path } = place;
    return { siteSpace, path, complete: !above.has(pathKey(given)), others: above.get(key) ?? [] };
  }
  return undefined;
}

function placesOf(tree: Tree): Places {
  const known = remembered.get(tree);
  if (known) return known;
  const sections = new Map<string | null, Tree["sections"][number]>(
    tree.sections.map((section) => [section.id, section]),
  );
  const byPath = new Map<string, Place>();
  const following = new Map<string, Set<string>>();
  let deepest = 0;
  for (const siteSpace of tree.siteSpaces.filter(isShown)) {
    const section = sections.get(siteSpace.section);
    const path = pathOf(section, siteSpace);
    const key = pathKey(path);
    const conditions = [section?.condition, siteSpace.condition];
    if (!byPath.has(key)) byPath.set(key, { siteSpace, path, conditions });
    for (let end = 0; end < path.length; end += 1) {
      const above = pathKey(path.slice(0, end));
      const known = following.get(above) ?? new Set();
      following.set(above, known.add(pathKey([path[end]!])));
    }
    deepest = Math.max(deepest, path.length);
  }
  const above = new Map([...following].map(([path, segments]) => [path, [...segments]]));
  const places: Places = { byPath, above, deepest };
  if (Object.isFrozen(tree)) remembered.set(tree, places);
  return places;
}
