import { isDeepStrictEqual } from "node:util";
import { changed } from "@octavo/shared/audit";
import { InstallationConfigured } from "@octavo/shared/contracts/events/integrations";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { paginate } from "@octavo/shared/paginate";
import type { z } from "zod";
import { withStoredRole } from "../access/stored-role.js";
import { auditInstallation } from "../audit.js";
import { jsonb } from "../db/jsonb.js";
import { computeSoon } from "../event-queue/compute-soon.js";
import { record } from "../event-queue/record.js";
import { scriptsSoon } from "../event-queue/scripts-soon.js";
import { visitorAuthSoon } from "../event-queue/visitor-auth-soon.js";
import { accountOf, loadVisible, organizationsFor } from "../integrations/access.js";
import { allow } from "../permissions.js";
import * as queries from "../store/installations.js";
import * as integrations from "../store/integrations.js";
import type { Call, Ctx } from "../trpc.js";
import { remove } from "../uninstall/uninstall.js";
import { levelOn, levelToConfigure } from "./access.js";
import { statusOf } from "./configuration.js";
import type { List, One, Update } from "./schema.js";
import { view, views } from "./view.js";

// An installation is an integration at work for one organization.

/**
 * Lists all installations for who administers the integration, else those of the caller's organizations; 404 for an
 * integration out of reach.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const { id, name, ...integration } = await loadVisible(ctx, input.integrationName);
  const organizations = organizationsFor(ctx, integration, "organization.listInstallations");
  return paginate({
    query: queries.list(ctx, { integration: id, organizations, externalId: input.externalId }),
    input,
    view: (rows) =>
      views(
        ctx,
        rows.map((row) => ({ ...row, name })),
      ),
  });
}

/** Returns an installation to its integration and to readers of its organization; 404 to all others. */
export async function get({ ctx, input }: Call<typeof One>) {
  const row = found(await queries.find(ctx, input.integrationName, input.installationId), "Installation");
  allow(levelOn(ctx, row), "installation.view", "Installation");
  return view(ctx, row.name, row);
}

/**
 * Changes an installation; 403 for who may not install, and for an integration that changes what it is installed on,
 * 404 when there is none. The integration is notified of every new status, and of every new configuration that it did not
 * set itself.
 */
export async function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const { name, ...before } = found(await lockAdministered(ctx, input), "Installation");
    const own = ctx.caller.kind === "integration";
    const { configuration = before.configuration } = input;
    const valid = statusOf(configuration, await accountOf(ctx, before.integration));
    const status: queries.Row["status"] = before.status === "paused" ? "paused" : valid;
    const { externalIds: external_ids, space_selection, site_selection } = input;
    if (own && (space_selection ?? site_selection))
      refuse("FORBIDDEN", "Installation: an integration does not choose what it is installed on");
    const set = { status, external_ids, space_selection, site_selection };
    const accepted_scopes = own ? undefined : await scopesOf(ctx, before.integration);
    const stored = { ...set, accepted_scopes, configuration: jsonb(configuration) };
    const row = await queries.update(ctx, before.id, stored);
    const reconfigured = !own && !isDeepStrictEqual(configuration, before.configuration);
    if (status !== before.status || reconfigured) {
      const previous = { status: before.status, configuration: before.configuration };
      await record(ctx, row, { type: "installation_setup", status, previous });
    }
    const { id, organization } = row;
    await emit(ctx, InstallationConfigured, id, { integration: name, installation: id, organization });
    await computeSoon(ctx, { organization });
    await visitorAuthSoon(ctx, row);
    await scriptsSoon(ctx, row);
    const details = { integration: name, ...changed(before, { ...set, configuration }) };
    await auditInstallation(ctx, "installation.update", row, details);
    return view(ctx, name, row);
  });
}

/** What the integration declares now: who changes an installation accepts it. */
const scopesOf = async (ctx: Ctx, integration: string) =>
  (await integrations.findById(ctx, integration))?.scopes;

/** Removes an installation; 403 for who may not install. No error when there is none. */
export async function uninstall({ ctx, input }: Call<typeof One>) {
  await transact(ctx, async (ctx) => {
    const row = await lockAdministered(ctx, input);
    if (row) await remove(ctx, { id: row.integration, name: row.name }, row.id);
  });
}

/**
 * An installation, held until the end of the transaction, for who may configure and remove it: whoever could install it,
 * in the organization that did, by the role that they have then; and the integration itself, as far as its scopes let
 * it come here. Undefined where there is none.
 */
async function lockAdministered(ctx: Ctx, { integrationName, installationId }: z.output<typeof One>) {
  const seen = await queries.find(ctx, integrationName, installationId);
  if (!seen) return undefined;
  // Who may not do this by the identity does not come to hold the lock.
  allow(levelToConfigure(ctx, seen), "installation.admin", "Installation");
  if (!(await queries.lock(ctx, installationId))) return undefined;
  const row = await queries.find(ctx, integrationName, installationId);
  if (row)
    allow(
      levelToConfigure(await withStoredRole(ctx, row.organization), row),
      "installation.admin",
      "Installation",
    );
  return row;
}
