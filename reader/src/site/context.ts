import type { Place } from "./places.js";
import type { Site } from "./site.js";
import type { Space } from "./space.js";

/** The site and the space that a visitor is shown, and at which address. */
export interface SiteContext {
  place: Place;
  site: Site;
  space: Space;
}
