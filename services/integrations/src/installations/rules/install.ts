import { InstallationCreated } from "@octavo/shared/contracts/events/integrations";
import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { withStoredRole } from "../../access/stored-role.js";
import { auditInstallation } from "../../audit.js";
import { jsonb } from "../../db/jsonb.js";
import { computeSoon } from "../../event-queue/compute-soon.js";
import { record } from "../../event-queue/record.js";
import { scriptsSoon } from "../../event-queue/scripts-soon.js";
import { loadVisible, lockForUse } from "../../integrations/access.js";
import { allowIn } from "../../permissions.js";
import * as queries from "../../store/installations.js";
import { insertSigned } from "../../store/signed.js";
import type { Call, Ctx } from "../../trpc.js";
import { initialConfiguration, statusOf } from "../configuration.js";
import { signingSecretOf } from "../runtime.js";
import type { Install } from "../schema.js";
import { view } from "../view.js";

const KEPT = {
  insert: queries.insert,
  secretOf: signingSecretOf,
  once: "installation_once",
  taken: "Installation: the organization has it already",
};

/**
 * Installs an integration for an organization; 404 for one out of reach, 403 for who may not install or a private one
 * of another organization, 409 when it is installed already.
 */
export async function install({ ctx, input: { integrationName, organization } }: Call<typeof Install>) {
  await loadInstallable(ctx, integrationName, organization);
  return transact(ctx, async (ctx) => {
    await lockForUse(ctx, { name: integrationName });
    const now = await withStoredRole(ctx, organization);
    const {
      id,
      name,
      configurations,
      scopes: accepted_scopes,
    } = await loadInstallable(now, integrationName, organization);
    const configuration = initialConfiguration(configurations?.account);
    const status = statusOf(configuration, configurations?.account);
    const set = { status, configuration: jsonb(configuration) };
    const row = await insertSigned(ctx, { integration: id, organization, accepted_scopes, ...set }, KEPT);
    await record(ctx, row, { type: "installation_setup", status });
    await emit(ctx, InstallationCreated, row.id, { integration: name, installation: row.id, organization });
    await computeSoon(ctx, { organization });
    await scriptsSoon(ctx, row);
    await auditInstallation(ctx, "installation.create", row, { integration: name, status });
    return view(ctx, name, row);
  });
}

/** The integration, for who may install it in the organization. */
async function loadInstallable(ctx: Ctx, integrationName: string, organization: string) {
  const integration = await loadVisible(ctx, integrationName);
  allowIn(ctx, organization, "organization.installIntegration");
  if (integration.visibility === "private" && integration.organization !== organization) {
    refuse("FORBIDDEN", "Integration: it is private to the organization that publishes it");
  }
  return integration;
}
