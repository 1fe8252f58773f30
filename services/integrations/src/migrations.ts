import * as integrations from "./migrations/0001-integrations.js";
import * as signedEvents from "./migrations/0002-signed-events.js";
import * as contentInstallations from "./migrations/0003-content-installations.js";
import * as webhooks from "./migrations/0004-webhooks.js";
import * as acceptedScopes from "./migrations/0005-accepted-scopes.js";
import * as deliveries from "./migrations/0006-deliveries.js";

/** Applied in order of their names; forward only. */
export const migrations = {
  "0001-integrations": integrations,
  "0002-signed-events": signedEvents,
  "0003-content-installations": contentInstallations,
  "0004-webhooks": webhooks,
  "0005-accepted-scopes": acceptedScopes,
  "0006-deliveries": deliveries,
};
