import { createUpstreamCache } from "../cache/upstream-cache.js";
import type { ResponseContext } from "./context.js";
import type { Place } from "./places.js";
import type { SiteSpaceLink } from "./site.js";
import { audienceOf, type Space, sizeOfSpace, spaceFrom } from "./space.js";

const cache = createUpstreamCache<Space>({
  max: 100,
  size: { of: sizeOfSpace, most: 4 * 1024 * 1024 },
  fresh: 5_000,
  stale: 10 * 60_000,
});

/** Returns another space of the site, as the visitor is shown it now. */
export function otherSpace(place: Place, { space: spaceId, revision }: SiteSpaceLink): Promise<Space> {
  const key = `${spaceId}/${revision}/${audienceOf(place)}`;
  return cache.get(key, async () => {
    const { pages } = await place.visitor.content.content.pages.query({ spaceId });
    return spaceFrom(key, { pages, files: [] });
  });
}

/** Returns those of the named spaces that are other spaces of the site, `most` at most, by their ids. */
export async function otherSpaces(
  { place, site, parts }: Omit<ResponseContext, "space">,
  named: ReadonlySet<unknown>,
  most: number,
): Promise<Map<string, Space>> {
  const shown = site.spaces.filter(({ space }) => space !== place.space && named.has(space)).slice(0, most);
  const found = await Promise.all(
    shown.map(async (one) => [one.space, await parts.load(otherSpace(place, one))] as const),
  );
  return new Map(found.flatMap(([id, space]) => (space ? [[id, space] as const] : [])));
}
