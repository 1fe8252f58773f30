import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { loadSite, lockSite } from "../access/load-site.js";
import { checkCondition } from "../audience/conditions.js";
import { restructure } from "../audience/restructure.js";
import { addressedBy } from "../audience/share-key.js";
import { auditSiteSpace } from "../audit.js";
import * as queries from "../store/site-spaces.js";
import { assign, isTaken, removeSiteSpace } from "../tree/edit.js";
import { move as moveItem } from "../tree/order.js";
import { siteSpacesIn } from "../tree/tree.js";
import type { Call } from "../trpc.js";
import { lockSpaceChanges } from "./changes.js";
import { refuseEmpty, refuseTwice } from "./membership.js";
import type { List, Move, OneSiteSpace, Update } from "./schema.js";
import { requireSeen, rowOf, see, seeTree } from "./seen.js";
import { spacesToShow } from "./spaces.js";
import { view } from "./view.js";

// A site space is a space shown on a site, one of the variants of the site or of one of its sections.

/**
 * Lists the site spaces of a site; those whose space the caller may not read are neither listed nor counted. 403 for
 * guests, 404 for strangers or an unknown site.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const site = await addressedBy(ctx, await loadSite(ctx, input, "site.view"), input.shareKey);
  const seen = await see(ctx, site);
  return paginate({
    query: queries.among(ctx, seen.site.id, [...seen.spaces.keys()], input.default),
    by: [{ column: "position" }],
    input,
    view: (rows) =>
      rows.flatMap(({ id }) => {
        const row = seen.tree.siteSpaces.find((each) => each.id === id);
        return row ? [view(seen, row)] : [];
      }),
  });
}

/**
 * Changes the path, the condition or the space of a site space. 404 for one that is not there or whose space the caller
 * may not read, 403 without the right over each space of the site where more people see them or elsewhere, 409 for a
 * path or a space that another one has.
 */
export async function update({ ctx, input }: Call<typeof Update>) {
  const { siteSpaceId, path, condition, spaceId } = input;
  return transact(ctx, async (ctx) => {
    if (spaceId !== undefined) await lockSpaceChanges(ctx, [spaceId]);
    const widens = () => path !== undefined || condition !== undefined;
    const site = await lockSite(ctx, input, "site.update", widens);
    await checkCondition(ctx, site.id, condition);
    if (spaceId !== undefined) await spacesToShow(ctx, site.organization, [spaceId], "site.addSpace");
    const set = { path, condition, space: spaceId };
    const { tree, result: before } = await restructure(ctx, site, async (tree) => {
      const row = await requireSeen(ctx, site, tree, siteSpaceId);
      if (path !== undefined && isTaken(path, row.id, siteSpacesIn(tree, row.section)))
        refuse("CONFLICT", "body.path: is taken by another site space");
      const was = { ...row };
      assign(row, set);
      return was;
    }).catch(refuseTwice);
    await auditSiteSpace(ctx, "site-space.update", before, { site: site.id, ...changed(before, set) });
    const row = rowOf(tree, siteSpaceId);
    return view(await seeTree(ctx, site, tree, [row]), row);
  });
}

/**
 * Takes a site space off its site, and its section with the last one; 400 for the last one of the site, 403 for who may
 * not create in the organization. No error when there is none.
 */
export async function remove({ ctx, input }: Call<typeof OneSiteSpace>) {
  await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.update");
    const { result: row } = await restructure(ctx, site, (tree) => {
      const row = tree.siteSpaces.find(({ id }) => id === input.siteSpaceId);
      if (row) removeSiteSpace(tree, row);
      if (row) refuseEmpty(tree);
      return row;
    });
    if (row) await auditSiteSpace(ctx, "site-space.remove", row, { site: site.id, space: row.space });
  });
}

/**
 * Moves a site space among the variants of its section; 403 for who may not create in the organization, 404 for an
 * unknown one, 400 for a position that is no other one of them.
 */
export async function move({ ctx, input }: Call<typeof Move>) {
  const { before, after } = input.position ?? {};
  const pointer = (to?: { siteSpace: string }) => to && { type: "site-space" as const, id: to.siteSpace };
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.update");
    const { tree, result: id } = await restructure(ctx, site, async (tree) => {
      const row = await requireSeen(ctx, site, tree, input.siteSpaceId);
      moveItem(tree, row, { before: pointer(before), after: pointer(after) });
      return row.id;
    });
    const row = rowOf(tree, id);
    await auditSiteSpace(ctx, "site-space.move", row, { site: site.id });
    return view(await seeTree(ctx, site, tree, [row]), row);
  });
}
