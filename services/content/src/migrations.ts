import * as content from "./migrations/0001-content.js";
import * as grantCounts from "./migrations/0009-grant-counts.js";

/** Applied in order of their names; forward only. */
export const migrations = { "0001-content": content, "0009-grant-counts": grantCounts };
