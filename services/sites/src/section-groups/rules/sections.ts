import { transact } from "@octavo/shared/database/transact";
import { lockSite } from "../../access/load-site.js";
import { restructure } from "../../audience/restructure.js";
import { auditSiteSectionGroup } from "../../audit.js";
import { requireSection } from "../../sections/seen.js";
import { putSection } from "../../tree/edit.js";
import type { Call } from "../../trpc.js";
import { requireGroup, viewOf } from "../groups.js";
import type { AddSection, RemoveSection } from "../schema.js";

/**
 * Puts a section at the end of a group, out of the one that it was in; 403 for who may not create in the organization,
 * 404 when either is not there.
 */
export async function addSection({ ctx, input }: Call<typeof AddSection>) {
  const { siteSectionGroupId: id, sectionId: section } = input;
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.update");
    const { tree, result: row } = await restructure(ctx, site, (tree) => {
      const row = requireGroup(tree, id);
      putSection(tree, requireSection(tree, section), id);
      return row;
    });
    await auditSiteSectionGroup(ctx, "site-section-group.addSection", row, { site: site.id, section });
    ctx.reply.headers.location = ctx.urls
      .api`/orgs/${site.organization}/sites/${site.id}/section-groups/${id}`;
    return viewOf(ctx, site, tree, id);
  });
}

/**
 * Takes a section out of a group, to the end of the root; 403 for who may not create in the organization. No error when
 * it is not in it.
 */
export async function removeSection({ ctx, input }: Call<typeof RemoveSection>) {
  const { siteSectionGroupId: id, siteSectionId: section } = input;
  await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.update");
    const { result: row } = await restructure(ctx, site, (tree) => {
      const inside = tree.sections.find((each) => each.id === section && each.section_group === id);
      if (inside) putSection(tree, inside, null);
      return inside && tree.groups.find((group) => group.id === id);
    });
    if (row)
      await auditSiteSectionGroup(ctx, "site-section-group.removeSection", row, { site: site.id, section });
  });
}
