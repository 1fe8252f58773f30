import { InstallationDeleted } from "@octavo/shared/contracts/events/integrations";
import { emit } from "@octavo/shared/events/outbox";
import { auditInstallation } from "../audit.js";
import { record } from "../event-queue/record.js";
import * as queries from "../store/installations.js";
import type { Ctx } from "../trpc.js";

interface Integration {
  id: string;
  name: string;
}

/** Removes one installation, inside a transaction, and tells its integration and the other services. */
export async function remove(ctx: Ctx, integration: Integration, id: string): Promise<void> {
  await tell(ctx, integration, await queries.retire(ctx, { id }));
}

/** Removes all installations of an integration, as `remove` does. */
export async function removeAll(ctx: Ctx, integration: Integration): Promise<void> {
  await tell(ctx, integration, await queries.retire(ctx, { integration: integration.id }));
}

async function tell(ctx: Ctx, { name }: Integration, rows: queries.Row[]) {
  for (const row of rows) {
    const { id, organization, configuration } = row;
    await record(ctx, row, { type: "installation_deleted", previous: { configuration } });
    await emit(ctx, InstallationDeleted, id, { integration: name, installation: id, organization });
    await auditInstallation(ctx, "installation.delete", row, { integration: name });
  }
}
