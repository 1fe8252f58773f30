import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { loadSite, lockSiteIfAny } from "../../access/load-site.js";
import { restructure } from "../../audience/restructure.js";
import { auditSiteSpace } from "../../audit.js";
import { addSiteSpace } from "../../tree/edit.js";
import type { Tree } from "../../tree/tree.js";
import type { Call } from "../../trpc.js";
import { lockSpaceChanges } from "../changes.js";
import { refuseTwice } from "../membership.js";
import type { Add } from "../schema.js";
import { rowOf, seenWith } from "../seen.js";
import { spacesToShow } from "../spaces.js";
import { view } from "../view.js";

/**
 * Shows a space on a site: in a section, the default one where there are sections and none is named. 404 for a space
 * out of reach or an unknown section, 403 for who may not decide who sees it, 409 when it is on the site already.
 */
export async function add({ ctx, input }: Call<typeof Add>) {
  await loadSite(ctx, input, "site.addSpace");
  return transact(ctx, async (ctx) => {
    await lockSpaceChanges(ctx, [input.spaceId]);
    const site = found(await lockSiteIfAny(ctx, input, "site.addSpace"), "Site");
    const [space] = await spacesToShow(ctx, site.organization, [input.spaceId], "site.addSpace");
    const { tree, result: id } = await restructure(ctx, site, (tree) => {
      const section = sectionFor(tree, input.sectionId);
      return addSiteSpace(tree, site, space!, section).id;
    }).catch(refuseTwice);
    const row = rowOf(tree, id);
    await auditSiteSpace(ctx, "site-space.add", row, { site: site.id, space: row.space });
    ctx.reply.headers.location = ctx.urls
      .api`/orgs/${site.organization}/sites/${site.id}/site-spaces/${row.id}`;
    return view(seenWith(ctx, site, tree, [space!]), row);
  });
}

/** The section that a space is added to: by default the default section, none on a site without sections. */
function sectionFor({ sections }: Tree, wanted?: string): string | null {
  if (wanted === undefined) return sections.find((section) => section.is_default)?.id ?? null;
  return found(
    sections.find(({ id }) => id === wanted),
    "Section",
  ).id;
}
