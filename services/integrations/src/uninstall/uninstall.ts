import { InstallationDeleted } from "@octavo/shared/contracts/events/integrations";
import { emit } from "@octavo/shared/events/outbox";
import { auditContentInstallation, auditInstallation } from "../audit.js";
import { forgetSoon } from "../event-queue/forget-soon.js";
import { announcePlaced, record } from "../event-queue/record.js";
import { scriptsSoon } from "../event-queue/scripts-soon.js";
import { visitorAuthSoon } from "../event-queue/visitor-auth-soon.js";
import * as contentInstallations from "../store/content-installations.js";
import * as queries from "../store/installations.js";
import type { Ctx } from "../trpc.js";

interface Integration {
  id: string;
  name: string;
}

/** Removes one installation, inside a transaction, and notifies its integration and the other services. */
export async function remove(ctx: Ctx, integration: Integration, id: string): Promise<void> {
  await emitUninstalled(ctx, integration, await queries.retire(ctx, { id }));
}

/** Removes all installations of an integration, as `remove` does. */
export async function removeAll(ctx: Ctx, integration: Integration): Promise<void> {
  await emitUninstalled(ctx, integration, await queries.retire(ctx, { integration: integration.id }));
}

/** Removes installations on single spaces or sites, inside a transaction, and notifies their integrations. */
export async function removeFromContent(ctx: Ctx, which: contentInstallations.Ending): Promise<void> {
  for (const row of await contentInstallations.retire(ctx, which)) {
    const { id, integration, installation, organization, configuration, content } = row;
    const about = { id: installation, integration, organization, contentInstallation: id };
    const previous = { configuration };
    await (row.kind === "space"
      ? record(ctx, about, { type: "space_installation_deleted", spaceId: content, previous })
      : record(ctx, about, { type: "site_installation_deleted", siteId: content, previous }));
    await announcePlaced(ctx, about);
    if (row.kind === "site") {
      await visitorAuthSoon(ctx, about);
      await scriptsSoon(ctx, about);
    } else if (!("installation" in which)) await forgetSoon(ctx, about, content);
    await auditContentInstallation(ctx, "contentInstallation.delete", row, {
      installation,
      [row.kind]: content,
    });
  }
}

async function emitUninstalled(ctx: Ctx, { name }: Integration, rows: queries.Row[]) {
  for (const row of rows) {
    const { id, organization, configuration } = row;
    await removeFromContent(ctx, { installation: id });
    await record(ctx, row, { type: "installation_deleted", previous: { configuration } });
    await forgetSoon(ctx, row);
    await scriptsSoon(ctx, row);
    await emit(ctx, InstallationDeleted, id, { integration: name, installation: id, organization });
    await auditInstallation(ctx, "installation.delete", row, { integration: name });
  }
}
