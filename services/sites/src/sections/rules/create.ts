import type { Space } from "@octavo/shared/contracts/schemas/space";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { loadSite, lockSiteIfAny } from "../../access/load-site.js";
import { requireDecision } from "../../access/standing.js";
import { restructure } from "../../audience/restructure.js";
import { auditSiteSection } from "../../audit.js";
import { lockSpaceChanges } from "../../site-spaces/changes.js";
import { refuseTwice } from "../../site-spaces/membership.js";
import { spacesToShow } from "../../site-spaces/spaces.js";
import type { Row as Site } from "../../store/sites.js";
import { addSection, addSiteSpace, wrapRoot } from "../../tree/edit.js";
import type { Tree } from "../../tree/tree.js";
import type { Call, Ctx } from "../../trpc.js";
import type { Create } from "../schema.js";
import { viewOf } from "../seen.js";

/**
 * Adds a section that shows a space, titled like it by default. The first one of a site that shows spaces already puts
 * those into a default section titled like the site. 404 for a space out of reach, 403 for who may not decide who sees
 * it, or who sees what gets another address, 409 when it is on the site already.
 */
export async function create({ ctx, input }: Call<typeof Create>) {
  await loadSite(ctx, input, "site.addSpace");
  return transact(ctx, async (ctx) => {
    await lockSpaceChanges(ctx, [input.spaceId]);
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

/** Those that are at the root get another address, which is for who may decide about them. */
async function wrap(ctx: Ctx, site: Site, tree: Tree) {
  if (tree.siteSpaces.length === 0) return;
  await requireDecision(ctx, site, "site.addSpace");
  wrapRoot(tree, site, site.title);
}

const titleOf = ({ title }: Space, site: Site) => (title.length > 1 ? title : site.title);
