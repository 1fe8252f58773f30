import { transact } from "@octavo/shared/database/transact";
import { paginate } from "@octavo/shared/paginate";
import { loadSite, lockSite } from "../access/load-site.js";
import { requireDecision } from "../access/standing.js";
import { restructure } from "../audience/restructure.js";
import { addressedBy } from "../audience/share-key.js";
import { auditSiteSection } from "../audit.js";
import { refuseEmpty } from "../site-spaces/membership.js";
import { see } from "../site-spaces/seen.js";
import * as queries from "../store/sections.js";
import { removeSection } from "../tree/edit.js";
import { move as moveItem } from "../tree/order.js";
import { shownSections } from "../tree/tree.js";
import type { Call } from "../trpc.js";
import type { List, Move, OneSection } from "./schema.js";
import { isSeen, requireSection, viewOf } from "./seen.js";
import { view } from "./view.js";

// A section of a site shows one space, or variants of it in languages and versions.

/**
 * Lists the sections of a site in their order; those in which the caller may read nothing are not counted either. 403
 * for guests, 404 for strangers or an unknown site.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const site = await addressedBy(ctx, await loadSite(ctx, input, "site.view"), input.shareKey);
  const seen = await see(ctx, site);
  const sections = new Map(
    shownSections(seen.tree)
      .filter((section) => isSeen(seen, section))
      .map((section) => [section.id, section]),
  );
  return paginate({
    query: queries.among(ctx, [...sections.keys()]),
    by: [{ column: "position" }],
    input,
    view: (rows) => rows.flatMap(({ id }) => view(seen, sections.get(id)!)),
  });
}

/**
 * Removes a section: its site spaces leave the site, or return to its root with the last section. 400 where nothing is
 * shown then, 403 without the right over each space of the site where a condition on the last section ends with it. No
 * error when there is none.
 */
export async function remove({ ctx, input }: Call<typeof OneSection>) {
  await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.update");
    const { result: row } = await restructure(ctx, site, async (tree) => {
      const row = tree.sections.find(({ id }) => id === input.siteSectionId);
      if (!row) return undefined;
      if (tree.sections.length === 1 && row.condition !== null)
        await requireDecision(ctx, site, "site.update");
      removeSection(tree, row);
      refuseEmpty(tree);
      return row;
    });
    if (row) await auditSiteSection(ctx, "site-section.delete", row, { site: site.id, title: row.title });
  });
}

/**
 * Moves a section among those beside it; 403 for who may not create in the organization, 404 for an unknown one, 400
 * for a position that is no other one of them.
 */
export async function move({ ctx, input }: Call<typeof Move>) {
  const { before, after } = input.position ?? {};
  const pointer = (to?: { siteSection: string }) =>
    to && { type: "site-section" as const, id: to.siteSection };
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.update");
    const { tree, result: row } = await restructure(ctx, site, (tree) => {
      const row = requireSection(tree, input.siteSectionId);
      moveItem(tree, row, { before: pointer(before), after: pointer(after) });
      return row;
    });
    await auditSiteSection(ctx, "site-section.move", row, { site: site.id });
    return viewOf(ctx, site, tree, row.id);
  });
}
