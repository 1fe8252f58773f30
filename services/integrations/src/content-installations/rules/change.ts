import { isDeepStrictEqual } from "node:util";
import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { auditContentInstallation } from "../../audit.js";
import { jsonb } from "../../db/jsonb.js";
import { levelOn } from "../../installations/access.js";
import { initialConfiguration, statusOf } from "../../installations/configuration.js";
import { allow } from "../../permissions.js";
import * as queries from "../../store/content-installations.js";
import * as installations from "../../store/installations.js";
import { insertSigned } from "../../store/signed.js";
import type { Ctx } from "../../trpc.js";
import { removeFromContent } from "../../uninstall/uninstall.js";
import type { ContentKind } from "../kinds.js";
import { type Installed, loadInstallation } from "../load.js";
import { signingSecretOf } from "../runtime.js";
import { formOf, recordSetup } from "../setup.js";
import { show } from "../show.js";

const KEPT = {
  insert: queries.insert,
  secretOf: signingSecretOf,
  once: "content_installation_once",
  taken: "Installation: is there already",
};

interface Changes {
  externalIds?: string[];
  configuration?: Record<string, unknown>;
}

/**
 * Installs on a space or site of the organization that the installation is in; 404 for one out of reach, 403 for who
 * may not install there, 409 where it is installed already or the integration is not made for such content.
 */
export async function installOn(
  ctx: Ctx,
  kind: ContentKind,
  input: Installed & { content: string; extended: boolean },
) {
  const { content } = input;
  const { organization } = await loadInstallation(ctx, input);
  await kind.requireVisible(ctx, organization, content);
  const row = await transact(ctx, async (ctx) => {
    const { id, integration } = found(await installations.lock(ctx, input.installationId), "Installation");
    await kind.requireRight(ctx, organization, content);
    const form = await formOf(ctx, kind, integration);
    const configuration = initialConfiguration(form);
    const status = statusOf(configuration, form);
    const set = { status, configuration: jsonb(configuration) };
    const of = { integration, installation: id, organization, kind: kind.kind, content };
    const row = await insertSigned(ctx, { ...of, ...set }, KEPT);
    await recordSetup(ctx, row);
    const details = { installation: id, [kind.kind]: content, status };
    await auditContentInstallation(ctx, "contentInstallation.create", row, details);
    return row;
  });
  return show(ctx, kind, input, row);
}

/**
 * Changes one; 404 for one out of reach, 403 for who may not install there. The integration is notified of every new status,
 * and of every new configuration that it did not set itself.
 */
export async function updateOn(
  ctx: Ctx,
  kind: ContentKind,
  input: Installed & Changes & { content: string; extended: boolean },
) {
  const row = await transact(ctx, async (ctx) => {
    const before = found(await lockAdministered(ctx, kind, input), "Installation");
    const { configuration = before.configuration, externalIds: external_ids } = input;
    const valid = statusOf(configuration, await formOf(ctx, kind, before.integration));
    const status = before.status === "paused" ? ("paused" as const) : valid;
    const set = { status, external_ids };
    const row = await queries.update(ctx, before.id, { ...set, configuration: jsonb(configuration) });
    const own = ctx.caller.kind === "integration";
    const reconfigured = !own && !isDeepStrictEqual(configuration, before.configuration);
    if (status !== before.status || reconfigured) await recordSetup(ctx, row, before);
    const details = { installation: row.installation, ...changed(before, { ...set, configuration }) };
    await auditContentInstallation(ctx, "contentInstallation.update", row, details);
    return row;
  });
  return show(ctx, kind, input, row);
}

/** Removes one; 403 for who may not install there. No error when there is none. */
export async function uninstallFrom(ctx: Ctx, kind: ContentKind, input: Installed & { content: string }) {
  await transact(ctx, async (ctx) => {
    const row = await lockAdministered(ctx, kind, input);
    if (row) await removeFromContent(ctx, { id: row.id });
  });
}

/** One, held until the end of the transaction, for who may install there and for the integration itself. */
async function lockAdministered(ctx: Ctx, kind: ContentKind, input: Installed & { content: string }) {
  const seen = await installations.find(ctx, input.integrationName, input.installationId);
  if (!seen) return undefined;
  allow(levelOn(ctx, seen), "installation.view", "Installation");
  const row = await queries.lock(ctx, seen.id, kind.kind, input.content);
  if (row && ctx.caller.kind !== "integration") await kind.requireRight(ctx, row.organization, row.content);
  return row;
}
