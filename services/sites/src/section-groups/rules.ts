import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { locate } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { loadSite, lockSite } from "../access/load-site.js";
import { restructure } from "../audience/restructure.js";
import { auditSiteSectionGroup } from "../audit.js";
import { requireSection } from "../sections/seen.js";
import { see } from "../site-spaces/seen.js";
import * as queries from "../store/sections.js";
import { addGroup, assign, putSection, removeGroup } from "../tree/edit.js";
import { move as moveItem } from "../tree/order.js";
import type { Call } from "../trpc.js";
import { nest, refuseTooDeep, requireGroup, viewOf } from "./groups.js";
import type { Create, List, Move, OneGroup, Update } from "./schema.js";
import { view } from "./view.js";

// A group gathers sections under a title; it may lie in another group. It changes no address.

/**
 * Lists the groups of a site, with those of their sections in which the caller may read anything; 403 for guests, 404
 * for strangers or an unknown site.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const seen = await see(ctx, await loadSite(ctx, input, "site.view"));
  const groups = new Map(seen.tree.groups.map((group) => [group.id, group]));
  return paginate({
    query: queries.groupsOf(ctx, seen.site.id),
    by: [{ column: "position" }],
    input,
    view: (rows) =>
      rows.flatMap(({ id }) => {
        const group = groups.get(id);
        return group ? [view(seen, group)] : [];
      }),
  });
}

/**
 * Adds a group at the end of the root or of another group, and puts sections into it; 403 for who may not create in the
 * organization, 404 for a section or a group that is not there, 400 below five groups in each other.
 */
export async function create({ ctx, input }: Call<typeof Create>) {
  const { title, icon, sections = [], parent = null } = input;
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.update");
    const { tree, result: row } = await restructure(ctx, site, async (tree) => {
      if (parent !== null) requireGroup(tree, parent);
      const row = addGroup(tree, site, { title, icon, parent });
      refuseTooDeep(tree, row);
      for (const [index, id] of sections.entries())
        await locate(`body.sections.${index}`, async () =>
          putSection(tree, requireSection(tree, id), row.id),
        );
      return row;
    });
    const { id } = row;
    await auditSiteSectionGroup(ctx, "site-section-group.create", row, { site: site.id, title, sections });
    ctx.reply.headers.location = ctx.urls
      .api`/orgs/${site.organization}/sites/${site.id}/section-groups/${id}`;
    return viewOf(ctx, site, tree, id);
  });
}

/**
 * Changes a group, or puts it into another one; 403 for who may not create in the organization, 404 for an unknown one,
 * 400 into itself or too deep.
 */
export async function update({ ctx, input }: Call<typeof Update>) {
  const { siteSectionGroupId: id, title, icon, parent } = input;
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.update");
    const set = { title, icon };
    const { tree, result: before } = await restructure(ctx, site, (tree) => {
      const row = requireGroup(tree, id);
      const was = { ...row };
      assign(row, set);
      if (parent !== undefined) nest(tree, row, parent);
      return was;
    });
    const details = { site: site.id, ...changed(before, { ...set, parent }) };
    await auditSiteSectionGroup(ctx, "site-section-group.update", before, details);
    return viewOf(ctx, site, tree, id);
  });
}

/**
 * Removes a group; what lies in it takes its place. 403 for who may not create in the organization. No error when there
 * is none.
 */
export async function remove({ ctx, input }: Call<typeof OneGroup>) {
  await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.update");
    const { result: row } = await restructure(ctx, site, (tree) => {
      const row = tree.groups.find(({ id }) => id === input.siteSectionGroupId);
      if (row) removeGroup(tree, row);
      return row;
    });
    if (row)
      await auditSiteSectionGroup(ctx, "site-section-group.delete", row, { site: site.id, title: row.title });
  });
}

/**
 * Moves a group among what is beside it; 403 for who may not create in the organization, 404 for an unknown one, 400
 * for a position that is nothing beside it.
 */
export async function move({ ctx, input }: Call<typeof Move>) {
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.update");
    const { tree, result: row } = await restructure(ctx, site, (tree) => {
      const row = requireGroup(tree, input.siteSectionGroupId);
      moveItem(tree, row, input.position);
      return row;
    });
    await auditSiteSectionGroup(ctx, "site-section-group.move", row, { site: site.id });
    return viewOf(ctx, site, tree, row.id);
  });
}
