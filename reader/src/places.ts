import { codeOf, createMemory } from "./remembered.js";
import type { Upstreams, Visitor } from "./upstreams.js";
import type { Proof } from "./visitor.js";

// The one module that knows how an address becomes a site, a space and a revision: it asks sites, which made the address.

/** What a published site shows at an address. */
export interface Place {
  visitor: Visitor;
  organization: string;
  site: string;
  siteSpace: string;
  space: string;
  revision: string;
  /** The part of the path that the site takes, and that the space takes; both end with a slash. */
  siteBase: string;
  base: string;
  /** The address that the space has for everybody, without the page. */
  canonical: string;
  /** Whether only whoever holds a key or proved something comes here. */
  isPrivate: boolean;
}

/** Where a visitor has to go instead. */
export interface Elsewhere {
  redirect: string;
}

export type Found = { place: Place } | { elsewhere: Elsewhere } | { nothing: true };

/** Segments behind the name of the site that may still be the site's: groups, sections, variants and a key. */
const DEEPEST = 4;
const OPTIONS = { max: 10_000, fresh: 1_500, stale: 10 * 60_000 };

export interface Places {
  /** What is at a path below the base of all sites; throws when nobody can say. `again` believes nothing that was said before. */
  at(path: string, proof: Proof, again?: boolean): Promise<Found>;
}

/** Creates the memory of what is published where. `base` is the address of all sites, without a slash at its end. */
export function createPlaces(upstreams: Upstreams, base: string): Places {
  const recall = createMemory<Found>(OPTIONS);
  const depth = new URL(base).pathname.split("/").filter(Boolean).length + 1 + DEEPEST;
  const { origin } = new URL(base);
  return {
    at(path, proof, again) {
      const segments = path.split("/").filter(Boolean);
      const near = `/${segments.slice(0, depth).join("/")}`;
      const key = JSON.stringify([near, proof.jwt, proof.inAddress]);
      return recall(key, () => resolve(upstreams, origin + near, proof), again);
    },
  };
}

async function resolve(
  { nobody, visitor: as }: Upstreams,
  url: string,
  { jwt, inAddress }: Proof,
): Promise<Found> {
  const visitor = jwt === undefined ? undefined : { jwtToken: jwt };
  // A cookie that is over leads to where visitors sign in; an address that brings a bad JWT from there would lead in circles.
  const redirectOnError = !inAddress;
  const asked = nobody.sites.urls.find.query({ url, redirectOnError, ...(visitor && { visitor }) });
  const found = await asked.catch((error: unknown) => {
    const code = codeOf(error);
    if (code === "NOT_FOUND" || code === "BAD_REQUEST") return undefined;
    throw error;
  });
  if (!found) return { nothing: true };
  if ("redirect" in found) return { elsewhere: { redirect: found.redirect } };
  const reader = await as(found.apiToken);
  if (!reader) return { nothing: true };
  const { organization, site, siteSpace, space, revision, pathname, canonicalUrl, shareKey } = found;
  const canonical = canonicalUrl.slice(0, canonicalUrl.length - (pathname.length - 1));
  const isPrivate = jwt !== undefined || shareKey !== undefined || reader.caller.claims !== undefined;
  return {
    place: {
      visitor: reader,
      ...{ organization, site, siteSpace, space, revision },
      ...{ siteBase: found.siteBasePath, base: found.basePath, canonical, isPrivate },
    },
  };
}
