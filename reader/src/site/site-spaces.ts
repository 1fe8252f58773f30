// All that a site shows to a visitor, in whichever of its spaces they are.

import { unlessGone } from "../cache/upstream-errors.js";
import type { SiteContext } from "./context.js";
import { pageNamed } from "./find.js";
import { otherSpace } from "./other-spaces.js";
import { decodedPath } from "./places.js";
import type { SiteSpaceLink } from "./site.js";
import type { Entry } from "./space.js";

/** The spaces of a site in their order; of a site that names none, the one that is shown. */
function spacesOf({ place, site }: Pick<SiteContext, "place" | "site">): SiteSpaceLink[] {
  if (site.spaces.some(({ id }) => id === place.siteSpace)) return site.spaces;
  const { siteSection: section, siteSpace: id, space, revision, base: href, canonical } = place;
  return [
    { id, section, space, revision, title: site.title, href, canonical, current: true },
    ...site.spaces,
  ];
}

/** A space of a site with its pages; undefined when the visitor is not shown it any more. */
export async function openSpace(context: SiteContext, one: SiteSpaceLink): Promise<SiteContext | undefined> {
  const { place, site } = context;
  if (one.id === place.siteSpace) return context;
  const { section: siteSection, id: siteSpace, space: spaceId, revision, href: base, canonical } = one;
  const space = await unlessGone(otherSpace(place, one));
  const root = place.siteRoot + canonical.slice(place.siteCanonical.length);
  const there = {
    siteSection,
    siteSpace,
    space: spaceId,
    revision,
    root,
    base,
    canonical,
    others: undefined,
  };
  return space && { place: { ...place, ...there }, site, space };
}

/** The page of a site that a path or an address names, with the space that it is in; undefined where there is none. */
export async function pageIn(
  context: SiteContext,
  named: string,
): Promise<(SiteContext & { entry: Entry }) | undefined> {
  for (const { one, path } of spacesAbove(context, named)) {
    const opened = await openSpace(context, one);
    const entry = opened && pageNamed(opened.space, decodedPath(path) ?? path);
    if (entry) return { ...opened, entry };
  }
  return undefined;
}

/** The spaces of a site from the one on whose base is named, else all; undefined where it is the base of none. */
export function spacesFrom(context: SiteContext, named?: string): SiteSpaceLink[] | undefined {
  const spaces = spacesOf(context);
  if (named === undefined) return spaces;
  const id = spacesAbove(context, named).find(({ path }) => path === "")?.one.id;
  const at = spaces.findIndex((one) => one.id === id);
  return at < 0 ? undefined : spaces.slice(at);
}

interface Above {
  one: SiteSpaceLink;
  /** The path below the base of the space, as it was given. */
  path: string;
}

/**
 * The spaces that a path or an address may lie in, those first whose base is the longest part of it. A path may also be
 * one below the base of the space that is shown.
 */
function spacesAbove({ place, site }: SiteContext, named: string): Above[] {
  const address = named.split(/[?#]/, 1)[0]!;
  const path = address.replace(/^\/+/, "");
  const above = spacesOf({ place, site }).flatMap((one): Above[] => {
    const own = one.canonical.slice(place.siteCanonical.length);
    const below = pathBelow(one.canonical, address) ?? pathBelow(one.href, address) ?? pathBelow(own, path);
    const here = one.id === place.siteSpace ? [{ one, path }] : [];
    return below === undefined ? here : [...here, { one, path: below }];
  });
  const isHere = ({ one }: Above) => Number(one.id === place.siteSpace);
  return above.sort((a, b) => a.path.length - b.path.length || isHere(b) - isHere(a));
}

/** The part of an address below a base, which ends with a slash or is empty; undefined when it is not below that. */
const pathBelow = (base: string, address: string): string | undefined =>
  `${address}/`.toLowerCase().startsWith(base.toLowerCase()) ? address.slice(base.length) : undefined;
