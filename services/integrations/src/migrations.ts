import * as integrations from "./migrations/0001-integrations.js";

/** Applied in order of their names; forward only. */
export const migrations = {
  "0001-integrations": integrations,
};
