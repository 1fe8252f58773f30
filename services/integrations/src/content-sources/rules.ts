import { found, refuse } from "@octavo/shared/errors";
import type { z } from "zod";
import { ask } from "../events/ask.js";
import { jsonOf } from "../events/response-json.js";
import type { Answer } from "../events/tunnel.js";
import * as installations from "../store/installations.js";
import * as integrations from "../store/integrations.js";
import type { Call, Ctx } from "../trpc.js";
import { type Compute, ComputedDocument, ComputedRevision } from "./schema.js";

// Content that an integration's script computes from its properties and from other content.

/**
 * Returns the pages and files that a source computes; 404 where the integration is not at work in the space or declares
 * no such source, 502 where its script does not return pages and files.
 */
export const computeRevision = ({ ctx, input }: Call<typeof Compute>) =>
  compute(ctx, "content_compute_revision", input, ComputedRevision);

/** Returns one document that a source computes; refuses with 404 and 502 as `computeRevision` does. */
export const computeDocument = ({ ctx, input }: Call<typeof Compute>) =>
  compute(ctx, "content_compute_document", input, ComputedDocument);

async function compute<Computed extends z.ZodType>(
  ctx: Ctx,
  type: "content_compute_revision" | "content_compute_document",
  { integrationName, spaceId, sourceId, props, dependencies }: Call<typeof Compute>["input"],
  computed: Computed,
): Promise<z.output<Computed>> {
  const integration = found(await integrations.find(ctx, integrationName), "Integration");
  const declared = integration.content_sources?.some(({ id }) => id === sourceId);
  found(declared || undefined, "Content source");
  const { organization } = found((await ctx.content.spaces(ctx, [spaceId]))[0], "Space");
  const place = { kind: "space" as const, content: spaceId, organization };
  const one = found(await installations.atWork(ctx, place, integration.id), "Installation");
  const about = {
    ...{ integration: integration.id, organization, installation: one.id },
    content_installation: one.contentInstallation,
  };
  const platformEvent = { type, installationId: one.id, spaceId, sourceId, props, dependencies };
  return ask(ctx, { about, platformEvent }, (answer) => contentOf(answer, computed));
}

function contentOf<Computed extends z.ZodType>({ status, body }: Answer, computed: Computed) {
  if (status === 404) refuse("NOT_FOUND", "Content source: the integration does not know it");
  const parsed = status >= 200 && status < 300 ? computed.safeParse(jsonOf({ body })) : undefined;
  if (parsed?.success) return parsed.data;
  return refuse("BAD_GATEWAY", "Content source: the integration did not answer with content", {
    reason: "integration_failed",
  });
}
