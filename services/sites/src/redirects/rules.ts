import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found, onConstraint, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { loadSite, lockSite } from "../access/load-site.js";
import { auditSite } from "../audit.js";
import * as queries from "../store/redirects.js";
import { bumpVersion } from "../store/sites.js";
import type { Call } from "../trpc.js";
import { checkDestination } from "./destinations.js";
import { refuseCircles, refuseFull } from "./limits.js";
import { keyOf } from "./paths.js";
import type { Create, List, OneRedirect, Update } from "./schema.js";
import { columnsOf, destinationOf, view } from "./view.js";

// A redirect leads from a path of a site at which there is no content to where the content is now.

/** Lists the redirects of a site, sorted by their sources; 403 for guests, 404 for strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  const site = await loadSite(ctx, input, "site.view");
  const query = queries.ofSite(ctx, site.id, input.search);
  return paginate({ query, key: "source_key", input, view: (rows) => rows.map(view) });
}

/**
 * Creates a redirect; 400 for a destination that is not on the site or is the source itself, 403 for who may not create
 * in the organization, 404 for strangers or an unknown site, 409 for a source that is taken, and for a circle.
 */
export async function create({ ctx, input: { source, destination, ...one } }: Call<typeof Create>) {
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, one, "site.manageRedirects");
    await refuseFull(ctx, site, 1);
    await checkDestination(ctx, site, source, destination);
    const own = { id: newId("siterd"), source, source_key: keyOf(source), ...columnsOf(destination) };
    await refuseCircles(ctx, site, [own]);
    const row = await queries.insert(ctx, { ...own, site: site.id }).catch(refuseTaken);
    await bumpVersion(ctx, site.id);
    await auditSite(ctx, "site.redirect.create", site, { redirect: row.id, source });
    return view(row);
  });
}

/** Changes a redirect; refuses like `create`, 404 for an unknown one. */
export async function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.manageRedirects");
    const before = found(await queries.find(ctx, site.id, input.siteRedirectId), "Redirect");
    const { source = before.source, destination = destinationOf(before) } = input;
    await checkDestination(ctx, site, source, destination);
    const set = { source, source_key: keyOf(source), ...columnsOf(destination) };
    await refuseCircles(ctx, site, [{ id: before.id, ...set }]);
    const row = await queries.update(ctx, before.id, set).catch(refuseTaken);
    const { source_key: _, ...shown } = set;
    const details = { redirect: row.id, ...changed(before, shown) };
    await bumpVersion(ctx, site.id);
    await auditSite(ctx, "site.redirect.update", site, details);
    return view(row);
  });
}

/** Deletes a redirect; 403 for who may not create in the organization. No error when there is none. */
export async function remove({ ctx, input }: Call<typeof OneRedirect>) {
  await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.manageRedirects");
    const row = await queries.find(ctx, site.id, input.siteRedirectId);
    if (!row) return;
    await queries.remove(ctx, row.id);
    await bumpVersion(ctx, site.id);
    await auditSite(ctx, "site.redirect.delete", site, { redirect: row.id, source: row.source });
  });
}

function refuseTaken(error: unknown): never {
  onConstraint(error, "site_redirect_source", () =>
    refuse("CONFLICT", "body.source: is the source of another redirect"),
  );
  throw error;
}
