import * as content from "./migrations/0001-content.js";

/** Applied in order of their names; forward only. */
export const migrations = { "0001-content": content };
