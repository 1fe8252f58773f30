import type { OptionalParts } from "./optional-parts.js";
import type { Place } from "./places.js";
import type { Site } from "./site.js";
import type { Space } from "./space.js";

/** The site and the space that a visitor is shown, and at which address. */
export interface SiteContext {
  place: Place;
  site: Site;
  space: Space;
}

/** The same while a response is made, which some parts may miss. */
export interface ResponseContext extends SiteContext {
  parts: OptionalParts;
}
