import type { DefaultLevel, Visibility } from "../tables/spaces.js";

/** The visibility of a space that no site shows: it may be seen with its collection, or by those with access to itself. */
export const hidden = (parent: string | null, defaultLevel: DefaultLevel): Visibility =>
  parent !== null && defaultLevel === "inherit" ? "in-collection" : "private";
