import type { Space } from "@octavo/shared/contracts/schemas/space";
import { onConstraint, refuse } from "@octavo/shared/errors";
import { restructure } from "../audience/restructure.js";
import { auditSiteSpace } from "../audit.js";
import type { Row as Site } from "../store/sites.js";
import { addSiteSpace, removeSiteSpace } from "../tree/edit.js";
import { isEmpty } from "../tree/normalize.js";
import type { SiteSpace, Tree } from "../tree/tree.js";
import type { Ctx } from "../trpc.js";

/** Shows spaces at the end of a site's variants, which has no sections yet. */
export const attach = (ctx: Ctx, site: Site, spaces: Space[]) =>
  restructure(ctx, site, (tree) => spaces.map((space) => addSiteSpace(tree, site, space, null)));

/**
 * Takes a site space off its site, for good or as long as its space is in the trash. The next one becomes the default
 * if it was; a site that showed nothing else is unpublished.
 */
export async function detach(ctx: Ctx, site: Site, row: SiteSpace, how: "removed" | "trashed") {
  await restructure(ctx, site, (tree) => {
    if (how === "removed") removeSiteSpace(tree, row);
    else own(tree, row).trashed_at = ctx.clock().toISOString();
  });
  const action = how === "removed" ? "site-space.remove" : "site-space.trash";
  await auditSiteSpace(ctx, action, row, { site: site.id, space: row.space });
}

/** Shows a site space again whose space came back from the trash. */
export async function reattach(ctx: Ctx, site: Site, row: SiteSpace) {
  await restructure(ctx, site, (tree) => {
    own(tree, row).trashed_at = null;
  });
  await auditSiteSpace(ctx, "site-space.restore", row, { site: site.id, space: row.space });
}

const own = (tree: Tree, { id }: SiteSpace) => tree.siteSpaces.find((row) => row.id === id)!;

/** 409 when a space would be on a site twice. */
export function refuseTwice(error: unknown): never {
  onConstraint(error, "site_space_once", () => refuse("CONFLICT", "Space: is on the site already"));
  throw error;
}

/** 400 where a change leaves a site without anything to show. */
export function refuseEmpty(tree: Tree): void {
  if (isEmpty(tree)) refuse("BAD_REQUEST", "Site: shows nothing else", { reason: "last_site_space" });
}
