interface WeightedPath {
  path: RegExp;
  weight: number;
  /** The query parameter that asks for one page alone, which weighs 1. */
  unless?: string;
}

/** Paths that cost about as much as `weight` pages: they read many pages of a site, or search them. */
const WEIGHTED_PATHS: WeightedPath[] = [
  { path: /\/~(?:octavo|gitbook)\/print$/, weight: 100, unless: "page" },
  { path: /\/llms-full\.txt(?:\/\d+)?$/, weight: 50 },
  { path: /\/~(?:octavo|gitbook)\/(?:search|mcp)$/, weight: 5 },
];

/** Returns how many requests a request for a site counts as in the rate limit, by its target; 1 for most. */
export function weightOf(target: string): number {
  const { pathname, searchParams } = new URL(target, "http://site.invalid");
  const path = decoded(pathname);
  const found = WEIGHTED_PATHS.find((one) => one.path.test(path));
  return !found || (found.unless !== undefined && searchParams.has(found.unless)) ? 1 : found.weight;
}

/** Returns a path decoded; empty when it cannot be decoded, since nothing is there. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}
