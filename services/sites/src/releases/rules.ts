import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { loadSite, lockSite } from "../access/load-site.js";
import type { OneSite } from "../access/schema.js";
import { awaitContent } from "../audience/await-content.js";
import { showRelease } from "../audience/release.js";
import { auditSite } from "../audit.js";
import { readable } from "../site-spaces/spaces.js";
import { view as viewSite } from "../sites/view.js";
import * as queries from "../store/releases.js";
import type { Call } from "../trpc.js";
import type { List, OneRelease, Update } from "./schema.js";
import { show } from "./show.js";
import { view } from "./view.js";

// A release holds the revision that each space of a site had. While one is pinned, readers are shown these revisions, and
// nothing newer. What readers see changes with it, so whoever pins decides who sees the spaces of the site.

/** Lists the releases of a site, newest first; 403 for guests, 404 for strangers or an unknown site. */
export async function list({ ctx, input }: Call<typeof List>) {
  const site = await loadSite(ctx, input, "site.view");
  return paginate({
    query: queries.ofSite(ctx, site.id),
    direction: "desc",
    input,
    view: (rows) => rows.map((row) => view(ctx, site, row)),
  });
}

/**
 * Returns a release with the revisions that it holds; those of spaces that the caller may not read are left out. 403 for
 * guests, 404 for an unknown one.
 */
export async function get({ ctx, input }: Call<typeof OneRelease>) {
  const site = await loadSite(ctx, input, "site.view");
  const row = found(await queries.find(ctx, site.id, input.siteReleaseId), "Release");
  const held = await queries.held(ctx, row.id);
  const spaces = held.map(({ space }) => space);
  const seen = await readable(ctx, site.organization, spaces);
  return { ...view(ctx, site, row), revisions: held.filter(({ space }) => seen.has(space)) };
}

/** Gives a release another title; 403 for who may not publish the site, 404 for an unknown one. */
export async function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.publish");
    const row = found(await queries.find(ctx, site.id, input.siteReleaseId), "Release");
    const { title = row.title } = input;
    await queries.rename(ctx, row.id, title);
    await auditSite(ctx, "site.release.update", site, { release: row.id, ...changed(row, { title }) });
    return view(ctx, site, { ...row, title });
  });
}

/** Deletes a release; 403 for who may not publish the site, 409 for the pinned one, no error when there is none. */
export async function remove({ ctx, input }: Call<typeof OneRelease>) {
  await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.publish");
    const row = await queries.find(ctx, site.id, input.siteReleaseId);
    if (!row) return;
    if (row.id === site.release)
      refuse("CONFLICT", "Release: is what readers are shown", { reason: "release_pinned" });
    await queries.remove(ctx, row.id);
    await auditSite(ctx, "site.release.delete", site, { release: row.id, title: row.title });
  });
}

/** Shows readers a release; 404 for an unknown one, 403 for who may not decide who sees the spaces of the site. */
export async function pin({ ctx, input }: Call<typeof OneRelease>) {
  const { shown, event } = await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.publish", () => true);
    const row = found(await queries.find(ctx, site.id, input.siteReleaseId), "Release");
    const event = row.id === site.release ? undefined : await show(ctx, site, row);
    return { shown: view(ctx, { ...site, release: row.id }, row), event };
  });
  await awaitContent(ctx, event);
  return shown;
}

/**
 * Shows readers the current content of the spaces of a site again; 403 for who may not decide who sees them, 404 for an
 * unknown site.
 */
export async function unpin({ ctx, input }: Call<typeof OneSite>) {
  const { site, event } = await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.publish", () => true);
    if (site.release === null) return { site };
    const event = await showRelease(ctx, site, null);
    await auditSite(ctx, "site.release.unpin", site, { release: site.release });
    return { site, event };
  });
  await awaitContent(ctx, event);
  return viewSite(ctx, site);
}
