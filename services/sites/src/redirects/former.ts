import type { Former } from "../store/redirects.js";
import type { Destination, SiteRedirect } from "./schema.js";

/** A path that is former, as the structure of a site keeps them: without slashes at its ends, in lower case. */
function plainOf(key: string): string | undefined {
  try {
    return key.slice(1).split("/").map(decodeURIComponent).join("/");
  } catch {
    return undefined;
  }
}

/** The former paths that a path by its key is, or lies below, the longest first. */
export function formerPathsFor(key: string): string[] {
  const segments = plainOf(key)?.split("/") ?? [];
  return segments.map((_, at) => segments.slice(0, segments.length - at).join("/"));
}

/** The redirect that a path stands for which the structure gave up: it takes along what lies below. */
export function redirectOf({ path, section, site_space }: Former, source: string): SiteRedirect {
  const to: Destination =
    section === null
      ? { kind: "site-space", siteSpaceId: site_space! }
      : { kind: "site-section", siteSectionId: section };
  return {
    object: "site-redirect",
    id: `former_${Buffer.from(path).toString("base64url")}`,
    source: source
      .split("/")
      .slice(0, path.split("/").length + 1)
      .join("/"),
    destination: to,
  };
}
