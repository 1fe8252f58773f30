interface Weighed {
  path: RegExp;
  weight: number;
  /** The parameter with which only one page is asked for. */
  unless?: string;
}

/** What is made of many pages of a site, or of a search in them, with about how many pages it costs as much as. */
const WEIGHED: Weighed[] = [
  { path: /\/~(?:octavo|gitbook)\/print$/, weight: 100, unless: "page" },
  { path: /\/llms-full\.txt(?:\/\d+)?$/, weight: 50 },
  { path: /\/~(?:octavo|gitbook)\/(?:search|mcp)$/, weight: 5 },
];

/** Returns as how many requests one for a site counts, by its target, whose path is canonical. */
export function weightOf(target: string): number {
  const { pathname, searchParams } = new URL(target, "http://site.invalid");
  const path = decoded(pathname);
  const found = WEIGHED.find((one) => one.path.test(path));
  return !found || (found.unless !== undefined && searchParams.has(found.unless)) ? 1 : found.weight;
}

/** Nothing is at a path that cannot be decoded. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}
