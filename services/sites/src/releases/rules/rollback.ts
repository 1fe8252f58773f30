import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { lockSite } from "../../access/load-site.js";
import type { OneSite } from "../../access/schema.js";
import { awaitContent } from "../../audience/await-content.js";
import { showRelease } from "../../audience/release.js";
import { auditSite } from "../../audit.js";
import * as queries from "../../store/releases.js";
import type { Call } from "../../trpc.js";
import { view } from "../view.js";

/**
 * Shows readers the release that they were shown before the present one, which is taken back: the next rollback goes on
 * from there. Of a site that is not pinned it is the release that was pinned last. 403 for who may not decide
 * who sees the spaces, 404 for an unknown site, 409 when there is none.
 */
export async function rollback({ ctx, input }: Call<typeof OneSite>) {
  const { shown, event } = await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.publish", () => true);
    const row = await queries.findShownLast(ctx, site.id, site.release);
    if (!row)
      refuse("CONFLICT", "Site: readers were shown no other release", { reason: "no_earlier_release" });
    if (site.release !== null) await queries.takeBack(ctx, site.release);
    const event = await showRelease(ctx, site, row.id);
    await auditSite(ctx, "site.release.rollback", site, { release: row.id, before: site.release });
    return { shown: view(ctx, { ...site, release: row.id }, row), event };
  });
  await awaitContent(ctx, event);
  return shown;
}
