import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { describe, found, onConstraint, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { auditContentInstallation } from "../audit.js";
import { jsonb } from "../db/jsonb.js";
import { record } from "../event-queue/record.js";
import { levelOn } from "../installations/access.js";
import { initialConfiguration, statusOf } from "../installations/configuration.js";
import { loadVisible, organizationsFor } from "../integrations/access.js";
import { allow } from "../permissions.js";
import type { Configuration } from "../schemas/manifest.js";
import * as queries from "../store/content-installations.js";
import * as installations from "../store/installations.js";
import * as integrations from "../store/integrations.js";
import type { Ctx } from "../trpc.js";
import { removeFromContent } from "../uninstall/uninstall.js";
import type { ContentKind } from "./kinds.js";
import { signingSecretOf } from "./runtime.js";
import { views } from "./view.js";

// An installation works on single spaces and sites as well, with a configuration of its own for each. Those on spaces
// and those on sites follow the same rules; what differs between them is their kind.

interface Installed {
  integrationName: string;
  installationId: string;
}
interface Paged {
  page?: string;
  limit: number;
  extended: boolean;
}
interface Changes {
  externalIds?: string[];
  configuration?: Record<string, unknown>;
}

/** Lists those of an installation, for the integration and for who may install in the organization. */
export async function listOf(ctx: Ctx, kind: ContentKind, input: Installed & Paged) {
  const installation = await loadInstallation(ctx, input);
  if (ctx.caller.kind !== "integration")
    allow(levelOn(ctx, installation), "contentInstallation.list", "Installation");
  return page(ctx, kind, { installation: installation.id }, input);
}

/** Lists those of an integration: all for its administrators and itself, else those of the caller's organizations. */
export async function listOfAll(
  ctx: Ctx,
  kind: ContentKind,
  input: Paged & { integrationName: string; externalId?: string },
) {
  const integration = await loadVisible(ctx, input.integrationName);
  const organizations = organizationsFor(ctx, integration, "contentInstallation.list");
  const { id } = integration;
  return page(ctx, kind, { integration: id, organizations }, input);
}

function page(
  ctx: Ctx,
  kind: ContentKind,
  of: queries.Listed,
  input: Paged & { integrationName: string; externalId?: string },
) {
  const { integrationName, extended, externalId } = input;
  return paginate({
    query: queries.list(ctx, kind.kind, of, externalId),
    input,
    view: (rows) => views(ctx, kind, integrationName, rows, extended),
  });
}

/** Returns one, to the integration and to who may read the space or site; 404 to all others. */
export async function getOn(
  ctx: Ctx,
  kind: ContentKind,
  input: Installed & { content: string; extended: boolean },
) {
  const { id, organization } = await loadInstallation(ctx, input);
  const row = found(await queries.find(ctx, id, kind.kind, input.content), "Installation");
  if (ctx.caller.kind !== "integration")
    await kind.requireVisible(ctx, organization, input.content).catch(refuseUnknown);
  return one(ctx, kind, input, row);
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
    const row = await insert(ctx, {
      ...{ integration, installation: id, organization, kind: kind.kind, content },
      ...set,
    });
    await tellSetup(ctx, row);
    const details = { installation: id, [kind.kind]: content, status };
    await auditContentInstallation(ctx, "contentInstallation.create", row, details);
    return row;
  });
  return one(ctx, kind, input, row);
}

/**
 * Changes one; 404 for one out of reach, 403 for who may not install there. The integration is told of every new status,
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
    if (status !== before.status || reconfigured) await tellSetup(ctx, row, before);
    const details = { installation: row.installation, ...changed(before, { ...set, configuration }) };
    await auditContentInstallation(ctx, "contentInstallation.update", row, details);
    return row;
  });
  return one(ctx, kind, input, row);
}

/** Removes one; 403 for who may not install there. No error when there is none. */
export async function uninstallFrom(ctx: Ctx, kind: ContentKind, input: Installed & { content: string }) {
  await transact(ctx, async (ctx) => {
    const row = await lockAdministered(ctx, kind, input);
    if (row) await removeFromContent(ctx, { id: row.id });
  });
}

/** What is installed out of reach is as little there as what is not installed. */
function refuseUnknown(error: unknown): never {
  if (describe(error).code === "NOT_FOUND") refuse("NOT_FOUND", "Installation: not found");
  throw error;
}

/** The installation, for who may see it at all. */
async function loadInstallation(ctx: Ctx, { integrationName, installationId }: Installed) {
  const row = found(await installations.find(ctx, integrationName, installationId), "Installation");
  allow(levelOn(ctx, row), "installation.view", "Installation");
  return row;
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

/** How the integration wants such content configured; 409 for an integration that is not made for it. */
async function formOf(ctx: Ctx, { kind, noun }: ContentKind, id: string): Promise<Configuration | undefined> {
  const { target, configurations } = found(await integrations.findById(ctx, id), "Integration");
  if (target !== "all" && target !== kind)
    refuse("CONFLICT", `${noun}: the integration cannot be installed on one`, { reason: "wrong_target" });
  return configurations?.[kind];
}

type New = Omit<Parameters<typeof queries.insert>[1], "id" | "signing_secret">;

async function insert(ctx: Ctx, row: New) {
  const id = newId();
  const secret = randomBytes(32).toString("base64url");
  const signing_secret = ctx.vault.seal(secret, signingSecretOf({ ...row, id }));
  try {
    return await queries.insert(ctx, { ...row, id, signing_secret });
  } catch (error) {
    onConstraint(error, "content_installation_once", () =>
      refuse("CONFLICT", "Installation: is there already", { reason: "already_installed" }),
    );
    throw error;
  }
}

async function tellSetup(ctx: Ctx, row: queries.Row, before?: queries.Row) {
  const { id: contentInstallation, installation: id, integration, organization, content, status } = row;
  const about = { id, integration, organization, contentInstallation };
  const previous = before && { status: before.status, configuration: before.configuration };
  await (row.kind === "space"
    ? record(ctx, about, { type: "space_installation_setup", spaceId: content, status, previous })
    : record(ctx, about, { type: "site_installation_setup", siteId: content, status, previous }));
}

async function one(
  ctx: Ctx,
  kind: ContentKind,
  { integrationName, extended }: { integrationName: string; extended: boolean },
  row: queries.Row,
) {
  const [view] = await views(ctx, kind, integrationName, [row], extended);
  return view!;
}
