import type { Row } from "../store/events.js";
import type { IntegrationEvent } from "./schema.js";

/** A delivered event of the integration with this name. */
export const view = (name: string, row: Row): IntegrationEvent => ({
  id: row.id,
  integrationId: name,
  installationId: row.installation ?? undefined,
  createdAt: row.created_at,
  payload: row.payload,
  status: row.status ?? "failed",
});
