import { enqueue } from "@octavo/shared/jobs/enqueue";
import * as integrations from "../store/integrations.js";
import type { Ctx } from "../trpc.js";
import { forgetSources } from "./jobs.js";

interface Installation {
  id: string;
  integration: string;
  organization: string;
}

/**
 * Has content show nothing more of what an integration computed in an organization, or in one space of it, after the
 * transaction that ends the installation; nothing where the integration has no content sources.
 */
export async function forgetSoon(
  ctx: Ctx,
  { id: installation, integration, organization }: Installation,
  space?: string,
): Promise<void> {
  const row = await integrations.findById(ctx, integration);
  if (!row?.content_sources) return;
  const about = { integration, name: row.name, installation, organization, space };
  // In turn with what computes them.
  await enqueue(ctx, forgetSources, about, { queue: `sources:${organization}` });
}
