import { showRelease } from "../audience/release.js";
import { auditSite } from "../audit.js";
import * as queries from "../store/releases.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";

/** Shows readers a release from now on; returns the event for content. */
export async function show(ctx: Ctx, site: Site, row: Pick<queries.Row, "id" | "site">): Promise<string> {
  await queries.noteShown(ctx, row);
  const event = await showRelease(ctx, site, row.id);
  await auditSite(ctx, "site.release.pin", site, { release: row.id, before: site.release });
  return event;
}
