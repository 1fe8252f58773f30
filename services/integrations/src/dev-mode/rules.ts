import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { auditIntegration } from "../audit.js";
import { lockAdministered } from "../integrations/access.js";
import * as queries from "../store/dev-mode.js";
import type { Call } from "../trpc.js";
import type { Disable, Enable } from "./schema.js";

// In development mode the events of an integration go to a tunnel, on to the machine of who writes the integration.

/**
 * Sends the events of the publishing organization's installations to a tunnel from now on, with `all` those of every
 * installation; 404 when there is no such integration, 403 for who does not administer it.
 */
export async function enable({ ctx, input: { integrationName, tunnelUrl, all } }: Call<typeof Enable>) {
  await transact(ctx, async (ctx) => {
    const integration = found(await lockAdministered(ctx, integrationName), "Integration");
    await queries.set(ctx, integration.id, { tunnel_url: tunnelUrl, tunnel_all: all });
    await auditIntegration(ctx, "integration.dev.enable", integration, { all });
  });
}

/** Ends development mode of an integration; 403 for who does not administer it. No error when there is none. */
export async function disable({ ctx, input: { integrationName } }: Call<typeof Disable>) {
  await transact(ctx, async (ctx) => {
    const integration = await lockAdministered(ctx, integrationName);
    if (!integration) return;
    await queries.set(ctx, integration.id, { tunnel_url: null, tunnel_all: false });
    await auditIntegration(ctx, "integration.dev.disable", integration);
  });
}
