import { SitePinned } from "@octavo/shared/contracts/events/sites";
import { emit } from "@octavo/shared/events/outbox";
import type { Row as Site } from "../store/sites.js";
import { narrow, update } from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import { emitSiteAudience } from "./audience.js";

/**
 * Shows readers a release of a site from now on, or the primary content of its spaces, and emits that. What renderers
 * were given to read another release ends, so that nothing newer is read. Returns the id of the event for content.
 */
export async function showRelease(ctx: Ctx, site: Site, release: string | null): Promise<string> {
  const { id, organization } = site;
  await update(ctx, id, { release });
  if (release !== null) await narrow(ctx, id);
  const { event } = await emitSiteAudience(ctx, { ...site, release });
  await emit(ctx, SitePinned, id, { site: id, organization, release, before: site.release });
  return event;
}
