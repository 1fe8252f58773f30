import * as sites from "./migrations/0001-sites.js";
import * as publishingAuth from "./migrations/0002-publishing-auth.js";

/** Applied in order of their names; forward only. */
export const migrations = { "0001-sites": sites, "0002-publishing-auth": publishingAuth };
