import { IntegrationUnpublished } from "@octavo/shared/contracts/events/integrations";
import { transact } from "@octavo/shared/database/transact";
import { emit } from "@octavo/shared/events/outbox";
import { paginate } from "@octavo/shared/paginate";
import { auditIntegration } from "../audit.js";
import { allowIn } from "../permissions.js";
import { dropTasks } from "../store/events.js";
import * as queries from "../store/integrations.js";
import type { Call } from "../trpc.js";
import { removeAll } from "../uninstall/uninstall.js";
import { loadPublic, lockAdministered } from "./access.js";
import type { List, ListInOrganization, Named } from "./schema.js";
import { view, views } from "./view.js";

// An integration is a script that an organization publishes under a name, for itself or for others to install.

/** Lists the public integrations that match all filters, sorted by name. */
export function list({ ctx, input }: Call<typeof List>) {
  return paginate({
    query: queries.published(ctx, input),
    key: "name",
    input,
    view: (rows) => views(ctx, rows),
  });
}

/**
 * Lists the public integrations and those of the organization itself that match all filters, sorted by name; 403 for
 * guests, 404 for strangers.
 */
export function listInOrganization({ ctx, input }: Call<typeof ListInOrganization>) {
  allowIn(ctx, input.organizationId, "organization.listIntegrations");
  return paginate({
    query: queries.availableTo(ctx, input.organizationId, input),
    key: "name",
    input,
    view: (rows) => views(ctx, rows),
  });
}

/** Returns an integration; 404 for a private one to who is not in the organization that publishes it. */
export async function get({ ctx, input }: Call<typeof Named>) {
  return view(ctx, await loadPublic(ctx, input.integrationName));
}

/**
 * Its installations are notified first; it is removed for good when the last of them was. What it scheduled for itself is
 * not delivered any more.
 */
export async function unpublish({ ctx, input: { integrationName } }: Call<typeof Named>) {
  await transact(ctx, async (ctx) => {
    const integration = await lockAdministered(ctx, integrationName);
    if (!integration) return;
    await removeAll(ctx, integration);
    await dropTasks(ctx, integration.id);
    await queries.retire(ctx, integration.id);
    await queries.purge(ctx, integration.id);
    const { organization, name } = integration;
    await emit(ctx, IntegrationUnpublished, integration.id, { integration: name, organization });
    await auditIntegration(ctx, "integration.unpublish", integration);
  });
}
