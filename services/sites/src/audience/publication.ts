import { SitePublished, SiteUnpublished } from "@octavo/shared/contracts/events/sites";
import { emit } from "@octavo/shared/events/outbox";
import { auditSite } from "../audit.js";
import * as queries from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import { emitSiteAudience } from "./audience.js";

/** Publishes or unpublishes a site, and emits that. Returns the id of the event for content. */
export async function setPublished(ctx: Ctx, site: queries.Row, published: boolean): Promise<string> {
  const { id, organization, visibility } = site;
  await queries.update(ctx, id, { published });
  if (!published) await queries.narrow(ctx, id);
  const { spaces, event } = await emitSiteAudience(ctx, { ...site, published });
  await emit(ctx, published ? SitePublished : SiteUnpublished, id, {
    site: id,
    organization,
    visibility,
    spaces,
  });
  await auditSite(ctx, published ? "site.publish" : "site.unpublish", site);
  return event;
}
