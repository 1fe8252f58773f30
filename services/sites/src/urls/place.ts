import { type Claims, isVisible } from "../claims/claims.js";
import { pathKey, pathOf } from "../tree/paths.js";
import { isShown, type SiteSpace, sectionOf, type Tree } from "../tree/tree.js";
import type { Segment } from "./address.js";

/** The site space that an address leads to. */
export interface ResolvedSiteSpace {
  siteSpace: SiteSpace;
  /** How many segments behind the root of the site name it. */
  depth: number;
  /** Whether an address that goes on from this one leads to the same site space. */
  complete: boolean;
}

/**
 * Finds the site space at a path behind the root of a site, of those that a visitor with these claims is shown: the inverse
 * of `tree/paths.ts`, by the longest path that the address begins with. Undefined where the visitor is shown nothing.
 */
export function placeAt(tree: Tree, path: Segment[], claims: Claims): ResolvedSiteSpace | undefined {
  const given = path.map(({ text }) => text);
  const places = tree.siteSpaces.filter(isShown).map((siteSpace) => {
    const section = sectionOf(tree, siteSpace);
    const visible = [section?.condition, siteSpace.condition].every((one) => isVisible(one, claims));
    return { siteSpace, visible, segments: pathOf(section, siteSpace) };
  });
  const [found] = places
    .filter(({ segments }) => isBelow(given, segments))
    .toSorted((one, other) => other.segments.length - one.segments.length);
  // What is hidden from a visitor is not replaced by what would lie above it.
  if (!found?.visible) return undefined;
  const complete = !places.some(({ segments }) => segments.length > given.length && isBelow(segments, given));
  return { siteSpace: found.siteSpace, depth: found.segments.length, complete };
}

/** Whether a path begins with another, case aside. */
const isBelow = (path: string[], above: string[]): boolean =>
  path.length >= above.length && pathKey(path.slice(0, above.length)) === pathKey(above);
