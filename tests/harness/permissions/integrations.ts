import { newInstallation, newIntegration } from "./fresh.js";
import { anybody, here, on, one, ownOrganization, silent, type Table } from "./permission.js";

export const integrations: Table = {
  "GET /integrations": anybody,
  [`GET ${one.integration}`]: on("read"),
  [`POST ${one.integration}`]: { ...here("create"), body: ownOrganization },
  [`DELETE ${one.integration}`]: { ...on("create"), ...silent, fresh: newIntegration },
  [`PUT ${one.integration}/dev`]: { ...on("create"), fresh: newIntegration },
  [`DELETE ${one.integration}/dev`]: { ...on("create"), ...silent, fresh: newIntegration },
  [`GET ${one.integration}/events`]: on("create"),
  [`GET ${one.integration}/events/{eventId}`]: on("create"),
  [`GET ${one.integration}/installations`]: on("read"),
  [`POST ${one.integration}/installations`]: {
    ...on("create"),
    fresh: newIntegration,
    body: ownOrganization,
  },
  [`GET ${one.installation}`]: on("read"),
  [`PATCH ${one.installation}`]: on("create"),
  [`DELETE ${one.installation}`]: { ...on("create"), ...silent, fresh: newInstallation },
  // For the integration itself, and for nobody.
  [`POST ${one.installation}/tokens`]: { needs: "themselves" },
};
