import { transact } from "@octavo/shared/database/transact";
import { found, onConstraint, refuse } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { loadSite, lockSiteIfAny } from "../access/load-site.js";
import { emitSiteAudience } from "../audience/audience.js";
import { addressedBy } from "../audience/share-key.js";
import { auditSiteSpace } from "../audit.js";
import * as queries from "../store/site-spaces.js";
import type { Row as Site } from "../store/sites.js";
import type { Call, Ctx } from "../trpc.js";
import { holdChanges } from "./changes.js";
import { attach } from "./membership.js";
import type { Add, List, SiteSpace } from "./schema.js";
import { readable, spacesToShow } from "./spaces.js";
import { view } from "./view.js";

// A site space is a space shown on a site, one of the site's variants.

/** Variants whose space the caller may not read are neither listed nor counted. */
export async function list({ ctx, input }: Call<typeof List>) {
  const site = await addressedBy(ctx, await loadSite(ctx, input, "site.view"), input.shareKey);
  const shown = await queries.shown(ctx, site.id);
  const spaces = await readable(ctx, site.organization, spacesOf(shown));
  return paginate({
    query: queries.among(ctx, site.id, [...spaces.keys()], input.default),
    by: [{ column: "position" }],
    input,
    view: (rows) => rows.map((row) => view(ctx, site, row, spaces.get(row.space)!)),
  });
}

/**
 * Shows a space on a site; 404 for a space out of reach, 403 for who may not decide who sees it, 409 when it is on
 * the site already.
 */
export async function add({ ctx, input }: Call<typeof Add>) {
  await loadSite(ctx, input, "site.addSpace");
  if (input.sectionId !== undefined) refuse("NOT_FOUND", "Section: not found");
  return transact(ctx, async (ctx) => {
    await holdChanges(ctx, [input.spaceId]);
    const site = found(await lockSiteIfAny(ctx, input, "site.addSpace"), "Site");
    const spaces = await spacesToShow(ctx, site.organization, [input.spaceId], "site.addSpace");
    const [row] = await attach(ctx, site, spaces).catch(refuseTwice);
    await emitSiteAudience(ctx, site);
    await auditSiteSpace(ctx, "site-space.add", row!, { site: site.id, space: row!.space });
    ctx.reply.headers.location = ctx.urls
      .api`/orgs/${site.organization}/sites/${site.id}/site-spaces/${row!.id}`;
    return view(ctx, site, row!, spaces[0]!);
  });
}

/** Returns all variants that the caller may read, in their order. */
export async function structureOf(ctx: Ctx, site: Site): Promise<SiteSpace[]> {
  const shown = await queries.shown(ctx, site.id);
  const spaces = await readable(ctx, site.organization, spacesOf(shown));
  return shown.flatMap((row) => {
    const space = spaces.get(row.space);
    return space ? [view(ctx, site, row, space)] : [];
  });
}

const spacesOf = (rows: queries.Row[]) => rows.map(({ space }) => space);

function refuseTwice(error: unknown): never {
  onConstraint(error, "site_space_once", () => refuse("CONFLICT", "Space: is on the site already"));
  throw error;
}
