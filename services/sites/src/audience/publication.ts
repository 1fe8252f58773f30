import { SitePublished, SiteUnpublished } from "@octavo/shared/contracts/events/sites";
import { emit } from "@octavo/shared/events/outbox";
import { auditSite } from "../audit.js";
import * as queries from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import { emitSiteAudience } from "./audience.js";

/** Publishes or unpublishes a site, and tells of it. */
export async function setPublished(ctx: Ctx, site: queries.Row, published: boolean): Promise<void> {
  const { id, organization, visibility } = site;
  await queries.update(ctx, id, { published });
  if (!published) await queries.narrow(ctx, id);
  const spaces = await emitSiteAudience(ctx, { ...site, published });
  const event = published ? SitePublished : SiteUnpublished;
  await emit(ctx, event, id, { site: id, organization, visibility, spaces });
  await auditSite(ctx, published ? "site.publish" : "site.unpublish", site);
}
