import { type Claims, isVisible } from "../claims/claims.js";
import { pathKey, pathOf } from "../tree/paths.js";
import { isShown, type SiteSpace, type Tree } from "../tree/tree.js";
import type { Segment } from "./address.js";

/** The site space that an address leads to. */
export interface ResolvedSiteSpace {
  siteSpace: SiteSpace;
  /** How many segments behind the root of the site name it. */
  depth: number;
  /** Whether an address that goes on from this one leads to the same site space. */
  complete: boolean;
  /** Segments, in lower case, that may follow the path of the site space and lead to another one, or to nothing. */
  others: readonly string[];
}

/** A site space at its path. */
interface Place {
  siteSpace: SiteSpace;
  depth: number;
  /** Those of its section and its own. */
  conditions: (string | null | undefined)[];
}

interface Places {
  byPath: Map<string, Place>;
  /** Paths below which there are site spaces, with the segments that follow them there. */
  above: Map<string, Set<string>>;
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
  path: Segment[],
  claims: Claims,
): ResolvedSiteSpace | undefined {
  const { byPath, above, deepest } = placesOf(tree);
  const given = path.map(({ text }) => text);
  for (let depth = Math.min(given.length, deepest); depth >= 0; depth -= 1) {
    const place = byPath.get(pathKey(given.slice(0, depth)));
    if (place?.depth !== depth) continue;
    // What is hidden from a visitor is not replaced by what would lie above it.
    if (!place.conditions.every((one) => isVisible(one, claims))) return undefined;
    const others = [...(above.get(pathKey(given.slice(0, depth))) ?? [])];
    return { siteSpace: place.siteSpace, depth, complete: !above.has(pathKey(given)), others };
  }
  return undefined;
}

function placesOf(tree: Tree): Places {
  const known = remembered.get(tree);
  if (known) return known;
  const sections = new Map<string | null, Tree["sections"][number]>(
    tree.sections.map((section) => [section.id, section]),
  );
  const places: Places = { byPath: new Map(), above: new Map(), deepest: 0 };
  for (const siteSpace of tree.siteSpaces.filter(isShown)) {
    const section = sections.get(siteSpace.section);
    const segments = pathOf(section, siteSpace);
    const conditions = [section?.condition, siteSpace.condition];
    const depth = segments.length;
    const key = pathKey(segments);
    if (!places.byPath.has(key)) places.byPath.set(key, { siteSpace, depth, conditions });
    for (let end = 0; end < depth; end += 1) {
      const path = pathKey(segments.slice(0, end));
      const following = places.above.get(path) ?? new Set();
      places.above.set(path, following.add(pathKey([segments[end]!])));
    }
    places.deepest = Math.max(places.deepest, depth);
  }
  if (Object.isFrozen(tree)) remembered.set(tree, places);
  return places;
}
