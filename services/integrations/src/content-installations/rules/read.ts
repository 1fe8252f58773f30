import { describe, found, refuse } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { levelOn } from "../../installations/access.js";
import { loadVisible, organizationsFor } from "../../integrations/access.js";
import { allow } from "../../permissions.js";
import * as queries from "../../store/content-installations.js";
import type { Ctx } from "../../trpc.js";
import type { ContentKind } from "../kinds.js";
import { type Installed, loadInstallation } from "../load.js";
import { show } from "../show.js";
import { views } from "../view.js";

// An installation works on single spaces and sites as well, with a configuration of its own for each. Those on spaces
// and those on sites follow the same rules; what differs between them is their kind.

interface Paged {
  page?: string;
  limit: number;
  extended: boolean;
}

/**
 * Lists those of an installation, for the integration and for who may install in the organization; 403 to others of it,
 * 404 to strangers.
 */
export async function listOf(ctx: Ctx, kind: ContentKind, input: Installed & Paged) {
  const installation = await loadInstallation(ctx, input);
  if (ctx.caller.kind !== "integration")
    allow(levelOn(ctx, installation), "contentInstallation.list", "Installation");
  return page(ctx, kind, { installation: installation.id }, input);
}

/**
 * Lists those of an integration: all for its administrators and itself, else those of the caller's organizations; 404
 * for an integration out of reach.
 */
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
  return show(ctx, kind, input, row);
}

/** What is installed out of reach is as little there as what is not installed. */
function refuseUnknown(error: unknown): never {
  if (describe(error).code === "NOT_FOUND") refuse("NOT_FOUND", "Installation: not found");
  throw error;
}
