import { changed } from "@octavo/shared/audit";
import type { Space } from "@octavo/shared/contracts/schemas/space";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse, refuseAt } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { loadSite, lockSite, lockSiteIfAny } from "../access/load-site.js";
import { requireDecision } from "../access/standing.js";
import { checkCondition } from "../audience/conditions.js";
import { restructure } from "../audience/restructure.js";
import { addressedBy } from "../audience/share-key.js";
import { auditSiteSection } from "../audit.js";
import { holdChanges } from "../site-spaces/changes.js";
import { refuseEmpty, refuseTwice } from "../site-spaces/membership.js";
import { see } from "../site-spaces/seen.js";
import { spacesToShow } from "../site-spaces/spaces.js";
import * as queries from "../store/sections.js";
import type { Row as Site } from "../store/sites.js";
import {
  addSection,
  addSiteSpace,
  assign,
  isTaken,
  makeDefault,
  removeSection,
  wrapRoot,
} from "../tree/edit.js";
import { move as moveItem } from "../tree/order.js";
import { shownSections, type Tree, variantsOf } from "../tree/tree.js";
import type { Call, Ctx } from "../trpc.js";
import type { Create, List, Move, OneSection, Update } from "./schema.js";
import { isSeen, requireSection, viewOf } from "./seen.js";
import { view } from "./view.js";

// A section of a site shows one space, or variants of it in languages and versions.

/** Lists the sections of a site in their order; those in which the caller may read nothing are not counted either. */
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
 * Adds a section that shows a space, titled like it unless told. The first one of a site that shows spaces already puts
 * those into a default section titled like the site. 404 for a space out of reach, 403 for who may not decide who sees
 * it, or who sees what gets another address, 409 when it is on the site already.
 */
export async function create({ ctx, input }: Call<typeof Create>) {
  await loadSite(ctx, input, "site.addSpace");
  return transact(ctx, async (ctx) => {
    await holdChanges(ctx, [input.spaceId]);
    const site = found(await lockSiteIfAny(ctx, input, "site.addSpace"), "Site");
    const [space] = await spacesToShow(ctx, site.organization, [input.spaceId], "site.addSpace");
    const { tree, result: row } = await restructure(ctx, site, async (tree) => {
      if (tree.sections.length === 0) await wrap(ctx, site, tree);
      const title = input.title ?? titleOf(space!, site);
      const row = addSection(tree, site, { title, icon: input.icon });
      addSiteSpace(tree, site, space!, row.id);
      return row;
    }).catch(refuseTwice);
    const { id, title } = row;
    await auditSiteSection(ctx, "site-section.create", row, { site: site.id, space: space!.id, title });
    ctx.reply.headers.location = ctx.urls.api`/orgs/${site.organization}/sites/${site.id}/sections/${id}`;
    return viewOf(ctx, site, tree, id);
  });
}

/**
 * Changes a section; 404 for an unknown one, 400 for a default that is none of its site spaces, 403 without the right
 * over each space of the site where they are shown to more people or elsewhere, 409 for a path that another one has.
 */
export async function update({ ctx, input }: Call<typeof Update>) {
  const { siteSectionId, title, path, defaultSiteSpace, condition, icon, description } = input;
  return transact(ctx, async (ctx) => {
    const widens = () => [path, defaultSiteSpace, condition].some((value) => value !== undefined);
    const site = await lockSite(ctx, input, "site.update", widens);
    await checkCondition(ctx, site.id, condition);
    const set = { title, path, condition, icon, description };
    const { tree, result: before } = await restructure(ctx, site, (tree) => {
      const row = requireSection(tree, siteSectionId);
      if (path !== undefined && isTaken(path, row.id, tree.sections))
        refuse("CONFLICT", "body.path: is taken by another section");
      const was = { ...row };
      assign(row, set);
      if (defaultSiteSpace !== undefined) chooseDefault(tree, row.id, defaultSiteSpace);
      return was;
    });
    const details = { ...changed(before, set), ...(defaultSiteSpace !== undefined && { defaultSiteSpace }) };
    await auditSiteSection(ctx, "site-section.update", before, { site: site.id, ...details });
    return viewOf(ctx, site, tree, siteSectionId);
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

/** Moves a section among those beside it; 404 for an unknown one, 400 for a position that is no other one of them. */
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

/** Those that are at the root get another address, which is for who may decide about them. */
async function wrap(ctx: Ctx, site: Site, tree: Tree) {
  if (tree.siteSpaces.length === 0) return;
  await requireDecision(ctx, site, "site.addSpace");
  wrapRoot(tree, site, site.title);
}

const titleOf = ({ title }: Space, site: Site) => (title.length > 1 ? title : site.title);

function chooseDefault(tree: Tree, section: string, siteSpace: string) {
  const variants = variantsOf(tree, section);
  if (!variants.some(({ id }) => id === siteSpace))
    refuseAt("body.defaultSiteSpace", "is no site space of this section");
  makeDefault(variants, siteSpace);
}
