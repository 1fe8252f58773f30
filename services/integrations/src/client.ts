import { serviceClient } from "@octavo/shared/client";
import type { TRPCClient } from "@trpc/client";
import type { IntegrationsRouter } from "./router.js";

export type { IntegrationsRouter };

export type IntegrationsClient = TRPCClient<IntegrationsRouter>;

/** A typed client of integrations: `await integrations.events.list.query({ integrationName: "mermaid" })`. */
export function integrationsClient(options: Parameters<typeof serviceClient>[0]): IntegrationsClient {
  return serviceClient<IntegrationsRouter>(options);
}
