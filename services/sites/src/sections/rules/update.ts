import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { refuse, refuseAt } from "@octavo/shared/errors";
import { lockSite } from "../../access/load-site.js";
import { checkCondition } from "../../audience/conditions.js";
import { restructure } from "../../audience/restructure.js";
import { auditSiteSection } from "../../audit.js";
import { assign, isTaken, makeDefault } from "../../tree/edit.js";
import { type Tree, variantsOf } from "../../tree/tree.js";
import type { Call } from "../../trpc.js";
import type { Update } from "../schema.js";
import { requireSection, viewOf } from "../seen.js";

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

function chooseDefault(tree: Tree, section: string, siteSpace: string) {
  const variants = variantsOf(tree, section);
  if (!variants.some(({ id }) => id === siteSpace))
    refuseAt("body.defaultSiteSpace", "is no site space of this section");
  makeDefault(variants, siteSpace);
}
