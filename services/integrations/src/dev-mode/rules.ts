import { transact } from "@octavo/shared/database/transact";
import { auditIntegration } from "../audit.js";
import { owned } from "../integrations/access.js";
import type { Call } from "../trpc.js";
import * as queries from "./queries.js";
import type { Disable, Enable } from "./schema.js";

// In development mode the events of an integration go to a tunnel, on to the machine of who writes the integration.

/** From now on, events of the publishing organization's installations go to the tunnel; with `all` those of every one. */
export async function enable({ ctx, input: { integrationName, tunnelUrl, all } }: Call<typeof Enable>) {
  const integration = await owned(ctx, integrationName);
  await transact(ctx, async (ctx) => {
    await queries.set(ctx, integration.id, { tunnel_url: tunnelUrl, tunnel_all: all });
    await auditIntegration(ctx, "integration.dev.enable", integration, { all });
  });
}

export async function disable({ ctx, input: { integrationName } }: Call<typeof Disable>) {
  if (!(await queries.exists(ctx, integrationName))) return;
  const integration = await owned(ctx, integrationName);
  await transact(ctx, async (ctx) => {
    await queries.set(ctx, integration.id, { tunnel_url: null, tunnel_all: false });
    await auditIntegration(ctx, "integration.dev.disable", integration);
  });
}
