import * as sites from "./migrations/0001-sites.js";

/** Applied in order of their names; forward only. */
export const migrations = { "0001-sites": sites };
