import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { changed } from "@octavo/shared/audit";
import { InstallationConfigured, InstallationCreated } from "@octavo/shared/contracts/events/integrations";
import { transact } from "@octavo/shared/database/transact";
import { found, onConstraint, refuse } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import type { z } from "zod";
import { withStoredRole } from "../access/stored-role.js";
import { auditInstallation } from "../audit.js";
import { jsonb } from "../db/jsonb.js";
import { record } from "../event-queue/record.js";
import { accountOf, loadVisible, lockForUse, organizationsFor } from "../integrations/access.js";
import { allow, allowIn } from "../permissions.js";
import * as queries from "../store/installations.js";
import type { Call, Ctx } from "../trpc.js";
import { remove } from "../uninstall/uninstall.js";
import { levelOn } from "./access.js";
import { initialConfiguration, statusOf } from "./configuration.js";
import { signingSecretOf } from "./runtime.js";
import type { Install, List, One, Update } from "./schema.js";
import { view } from "./view.js";

// An installation is an integration at work for one organization.

/** Lists all installations for who administers the integration, else those of the caller's organizations. */
export async function list({ ctx, input }: Call<typeof List>) {
  const { id, name, ...integration } = await loadVisible(ctx, input.integrationName);
  const organizations = organizationsFor(ctx, integration, "organization.listInstallations");
  return paginate({
    query: queries.list(ctx, { integration: id, organizations, externalId: input.externalId }),
    input,
    view: (rows) => rows.map((row) => view(ctx, name, row)),
  });
}

/**
 * Installs an integration for an organization; 404 for one out of reach, 403 for who may not install or a private one
 * of another organization, 409 when it is installed already.
 */
export async function install({ ctx, input: { integrationName, organization } }: Call<typeof Install>) {
  await loadInstallable(ctx, integrationName, organization);
  return transact(ctx, async (ctx) => {
    await lockForUse(ctx, { name: integrationName });
    const now = await withStoredRole(ctx, organization);
    const { id, name, configurations } = await loadInstallable(now, integrationName, organization);
    const configuration = initialConfiguration(configurations?.account);
    const status = statusOf(configuration, configurations?.account);
    const row = await insert(ctx, {
      integration: id,
      organization,
      status,
      configuration: jsonb(configuration),
    });
    await record(ctx, row, { type: "installation_setup", status });
    await emit(ctx, InstallationCreated, row.id, { integration: name, installation: row.id, organization });
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

async function insert(ctx: Ctx, row: Omit<Parameters<typeof queries.insert>[1], "id" | "signing_secret">) {
  const id = newId();
  const secret = randomBytes(32).toString("base64url");
  const signing_secret = ctx.vault.seal(secret, signingSecretOf({ ...row, id }));
  try {
    return await queries.insert(ctx, { ...row, id, signing_secret });
  } catch (error) {
    onConstraint(error, "installation_once", () =>
      refuse("CONFLICT", "Installation: the organization has it already", { reason: "already_installed" }),
    );
    throw error;
  }
}

/** Returns an installation to its integration and to readers of its organization; 404 to all others. */
export async function get({ ctx, input }: Call<typeof One>) {
  const row = found(await queries.find(ctx, input.integrationName, input.installationId), "Installation");
  allow(levelOn(ctx, row), "installation.view", "Installation");
  return view(ctx, row.name, row);
}

/** The integration is told of every new configuration and status, and of nothing that stays as it was. */
export async function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const { name, ...before } = found(await lockAdministered(ctx, input), "Installation");
    const { configuration = before.configuration } = input;
    const valid = statusOf(configuration, await accountOf(ctx, before.integration));
    const status: queries.Row["status"] = before.status === "paused" ? "paused" : valid;
    const { externalIds: external_ids, space_selection, site_selection } = input;
    const set = { status, external_ids, space_selection, site_selection };
    const row = await queries.update(ctx, before.id, { ...set, configuration: jsonb(configuration) });
    if (status !== before.status || !isDeepStrictEqual(configuration, before.configuration)) {
      const previous = { status: before.status, configuration: before.configuration };
      await record(ctx, row, { type: "installation_setup", status, previous });
    }
    const { id, organization } = row;
    await emit(ctx, InstallationConfigured, id, { integration: name, installation: id, organization });
    const details = { integration: name, ...changed(before, { ...set, configuration }) };
    await auditInstallation(ctx, "installation.update", row, details);
    return view(ctx, name, row);
  });
}

/** Removes an installation; 403 for who may not install. No error when there is none. */
export async function uninstall({ ctx, input }: Call<typeof One>) {
  await transact(ctx, async (ctx) => {
    const row = await lockAdministered(ctx, input);
    if (row) await remove(ctx, { id: row.integration, name: row.name }, row.id);
  });
}

/**
 * An installation, held until the end of the transaction, for who may configure and remove it: whoever could install it,
 * in the organization that did, by the role that they have then. Undefined where there is none.
 */
async function lockAdministered(ctx: Ctx, { integrationName, installationId }: z.output<typeof One>) {
  const seen = await queries.find(ctx, integrationName, installationId);
  if (!seen) return undefined;
  // Who may not do this by the identity does not come to hold the lock.
  allow(levelOn(ctx, seen), "installation.admin", "Installation");
  if (!(await queries.lock(ctx, installationId))) return undefined;
  const row = await queries.find(ctx, integrationName, installationId);
  if (row)
    allow(levelOn(await withStoredRole(ctx, row.organization), row), "installation.admin", "Installation");
  return row;
}
