import type { z } from "zod";
import type { SiteVisibility } from "../db/database.js";
import type { Row } from "../store/sites.js";
import type { Update } from "./schema.js";

/** Who may see a site, fewest first. */
const OPENNESS: SiteVisibility[] = ["visitor-auth", "share-link", "unlisted", "public"];

/** Whether a change of a site shows its spaces to fewer people, or to those who come in another way. */
export const narrowsAudience = (
  site: Row,
  { visibility = site.visibility, adaptiveContent }: z.output<typeof Update>,
): boolean =>
  OPENNESS.indexOf(visibility) < OPENNESS.indexOf(site.visibility) ||
  // Which claims count decides what conditions let through.
  (adaptiveContent?.enabled ?? site.adaptive_content) !== site.adaptive_content;

/**
 * Whether a change of a site shows its spaces to more people, or somewhere else. A site that is not published is judged
 * alike: whoever publishes it decides on what they saw.
 */
export function widensAudience(site: Row, input: z.output<typeof Update>): boolean {
  const {
    visibility = site.visibility,
    basename = site.basename,
    proxy,
    defaultSiteSpace,
    defaultSiteSection,
  } = input;
  const adaptive = input.adaptiveContent?.enabled ?? site.adaptive_content;
  return (
    OPENNESS.indexOf(visibility) > OPENNESS.indexOf(site.visibility) ||
    basename !== site.basename ||
    (typeof proxy === "string" && proxy !== site.proxy) ||
    // Which claims count decides what conditions let through, either way.
    adaptive !== site.adaptive_content ||
    (defaultSiteSpace ?? defaultSiteSection) !== undefined
  );
}
