import { randomBytes } from "node:crypto";
import { changed } from "@octavo/shared/audit";
import { hashOfShareKey } from "@octavo/shared/contracts/share-keys";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { loadSite, lockSite, lockSiteIfAny } from "../access/load-site.js";
import { requireDecision, requireStoredRole } from "../access/standing.js";
import { emitSiteAudience } from "../audience/audience.js";
import { belongingOfKey } from "../audience/share-key.js";
import { auditShareLink } from "../audit.js";
import * as queries from "../store/share-links.js";
import { bumpVersion, narrow } from "../store/sites.js";
import type { Call } from "../trpc.js";
import type { Create, List, Remove, Update } from "./schema.js";
import { view } from "./view.js";

// A share link is a secret address of a site. Whoever has it reads the site while the link is active, so whoever creates
// one, sees one or activates one has to decide who sees the spaces of the site.

const MOST_LINKS = 1000;

/**
 * Lists the share links of a site with their addresses, sorted by age; 404 for strangers or an unknown site, 403 for
 * who may not decide who sees its spaces.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const site = await loadSite(ctx, input, "site.manageShareLinks");
  await requireDecision(ctx, site, "site.manageShareLinks");
  return paginate({
    query: queries.ofSite(ctx, site.id),
    input,
    view: (rows) => rows.map((row) => view(ctx, site, row)),
  });
}

/**
 * Creates an active share link; 403 for who may not decide who sees the spaces of the site, 404 for strangers or an
 * unknown site, 409 when it has 1,000 links.
 */
export function create({ ctx, input }: Call<typeof Create>) {
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.manageShareLinks", () => true);
    const { id: siteId, organization } = site;
    if ((await queries.count(ctx, siteId)) >= MOST_LINKS)
      refuse("CONFLICT", `Share link: a site has at most ${MOST_LINKS}`, { reason: "too_many_share_links" });
    const id = newId();
    const key = randomBytes(20).toString("hex");
    const row = await queries.insert(ctx, {
      id,
      site: siteId,
      name: input.name,
      key: ctx.vault.seal(key, belongingOfKey(id, organization)),
      key_hash: hashOfShareKey(key)!,
    });
    await bumpVersion(ctx, siteId);
    await emitSiteAudience(ctx, site);
    await auditShareLink(ctx, "share-link.create", { id, organization }, { site: siteId, name: input.name });
    ctx.reply.headers.location = ctx.urls.api`/orgs/${organization}/sites/${siteId}/share-links/${id}`;
    return view(ctx, site, row);
  });
}

/**
 * Renames, activates or deactivates a share link; 404 for an unknown one, 403 when it is active afterwards and the
 * caller may not decide who sees the spaces of the site. A deactivated one opens nothing from then on.
 */
export function update({ ctx, input }: Call<typeof Update>) {
  const { active, name } = input;
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.manageShareLinks");
    const before = found(await queries.find(ctx, site.id, input.shareLinkId), "Share link");
    const set = { active: active ?? before.active, name: name ?? before.name };
    if (set.active) await requireDecision(ctx, site, "site.manageShareLinks");
    await queries.update(ctx, before.id, set);
    await bumpVersion(ctx, site.id);
    if (before.active && !set.active) await narrow(ctx, site.id);
    if (set.active !== before.active) await emitSiteAudience(ctx, site);
    const owned = { id: before.id, organization: site.organization };
    await auditShareLink(ctx, "share-link.update", owned, { site: site.id, ...changed(before, set) });
    return view(ctx, site, { ...before, ...set });
  });
}

/**
 * Deletes a share link, which opens nothing from then on; 403 for who may not create in the organization. No error when
 * there is none.
 */
export async function remove({ ctx, input }: Call<typeof Remove>) {
  await transact(ctx, async (ctx) => {
    const site = await lockSiteIfAny(ctx, input, "site.manageShareLinks");
    const row = site && (await queries.find(ctx, site.id, input.shareLinkId));
    if (!site || !row) return;
    await requireStoredRole(ctx, site.organization, "site.manageShareLinks");
    await queries.remove(ctx, row.id);
    await bumpVersion(ctx, site.id);
    if (row.active) {
      await narrow(ctx, site.id);
      await emitSiteAudience(ctx, site);
    }
    const owned = { id: row.id, organization: site.organization };
    await auditShareLink(ctx, "share-link.delete", owned, { site: site.id, name: row.name });
  });
}
