import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { loadSite, lockSite } from "../access/load-site.js";
import { restructure } from "../audience/restructure.js";
import { addressedBy } from "../audience/share-key.js";
import { auditSiteSection, auditSiteSectionGroup, auditSiteSpace } from "../audit.js";
import { requireSeen, see, seeTree } from "../site-spaces/seen.js";
import type { Row as Site } from "../store/sites.js";
import { type Item, move, type Pointer } from "../tree/order.js";
import type { Tree } from "../tree/tree.js";
import type { Call, Ctx } from "../trpc.js";
import type { Get, Sort } from "./schema.js";
import { view, viewItem } from "./view.js";

// The structure of a site is all of its site spaces, or its sections with theirs, and the groups of these.

/** Returns the structure of a site as the caller sees it; 403 for guests, 404 for strangers or an unknown site. */
export async function get({ ctx, input }: Call<typeof Get>) {
  const site = await loadSite(ctx, input, "site.view");
  return view(await see(ctx, await addressedBy(ctx, site, input.shareKey)));
}

/**
 * Moves anything of a structure among what is beside it, to the end without a position. 403 for who may not create in
 * the organization, 404 for an item that is not there, 400 for a position that is nothing beside it.
 */
export async function sort({ ctx, input }: Call<typeof Sort>) {
  return transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.update");
    const { tree, result: item } = await restructure(ctx, site, async (tree) => {
      const item = await itemOf(ctx, site, tree, input.item);
      move(tree, item, input.position);
      return item;
    });
    const { type } = input.item;
    const details = { site: site.id };
    if (type === "site-space") await auditSiteSpace(ctx, "site-space.move", item, details);
    else if (type === "site-section") await auditSiteSection(ctx, "site-section.move", item, details);
    else await auditSiteSectionGroup(ctx, "site-section-group.move", item, details);
    return viewItem(await seeTree(ctx, site, tree), item);
  });
}

async function itemOf(ctx: Ctx, site: Site, tree: Tree, { type, id }: Pointer): Promise<Item> {
  if (type === "site-space") return requireSeen(ctx, site, tree, id);
  const all: Item[] = type === "site-section" ? tree.sections : tree.groups;
  const what = type === "site-section" ? "Section" : "Section group";
  return found(
    all.find((item) => item.id === id),
    what,
  );
}
