import { found, refuse } from "@octavo/shared/errors";
import type { z } from "zod";
import type { About } from "../events/addressee.js";
import { ask } from "../events/ask.js";
import { jsonOf } from "../events/response-json.js";
import type { IntegrationResponse } from "../events/tunnel.js";
import * as installations from "../store/installations.js";
import * as integrations from "../store/integrations.js";
import type { Ctx } from "../trpc.js";
import { ComputedDocument, ComputedRevision } from "./schema.js";

// Content that an integration's script computes from its properties and from other content.

/** An integration that computes content of a space, and for whom it does that there. */
export interface Computing {
  name: string;
  space: string;
  organization: string;
  installation: string;
  about: About;
  /** The content sources that it declares. */
  sources: Set<string>;
}

/** What a source is asked for. */
export interface Asked {
  sourceId: string;
  props: Record<string, unknown>;
  /** What the source depends on, by name: `{ ref, value }`. */
  dependencies: Record<string, unknown>;
  /** The id under which the event is recorded; a new one by default. */
  event?: string;
}

/**
 * Loads the integration that computes content of a space; 404 where it is not at work, or has not the scope
 * `space:content:write`, with which integrations change content.
 */
export async function loadComputing(ctx: Ctx, name: string, space: string): Promise<Computing> {
  const integration = found(await integrations.find(ctx, name), "Integration");
  const { organization } = found((await ctx.content.spaces(ctx, [space]))[0], "Space");
  const place = { kind: "space" as const, content: space, organization };
  const scope = "space:content:write";
  const one = found(await installations.atWork(ctx, place, integration.id, scope), "Installation");
  const about = {
    integration: integration.id,
    organization,
    installation: one.id,
    content_installation: one.contentInstallation,
  };
  const sources = new Set((integration.content_sources ?? []).map(({ id }) => id));
  return { name, space, organization, installation: one.id, about, sources };
}

/**
 * Returns the pages and files that a source computes; 404 for a source that the integration does not declare, 502 where
 * its script does not return pages and files.
 */
export const computeRevision = (ctx: Ctx, computing: Computing, asked: Asked) =>
  compute(ctx, "content_compute_revision", computing, asked, ComputedRevision);

/** Returns one document that a source computes; refuses with 404 and 502 as `computeRevision` does. */
export const computeDocument = (ctx: Ctx, computing: Computing, asked: Asked) =>
  compute(ctx, "content_compute_document", computing, asked, ComputedDocument);

async function compute<Computed extends z.ZodType>(
  ctx: Ctx,
  type: "content_compute_revision" | "content_compute_document",
  { space: spaceId, installation: installationId, about, sources }: Computing,
  { sourceId, props, dependencies, event }: Asked,
  computed: Computed,
): Promise<z.output<Computed>> {
  found(sources.has(sourceId) || undefined, "Content source");
  const platformEvent = { type, installationId, spaceId, sourceId, props, dependencies };
  return ask(ctx, { about, platformEvent, id: event }, (response) => contentOf(response, computed));
}

function contentOf<Computed extends z.ZodType>({ status, body }: IntegrationResponse, computed: Computed) {
  if (status === 404) refuse("NOT_FOUND", "Content source: the integration does not know it");
  const parsed = status >= 200 && status < 300 ? computed.safeParse(jsonOf({ body })) : undefined;
  if (parsed?.success) return parsed.data;
  return refuse("BAD_GATEWAY", "Content source: the integration did not respond with content", {
    reason: "integration_failed",
  });
}
