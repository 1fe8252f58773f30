import { isDeepStrictEqual } from "node:util";
import { refuse } from "@octavo/shared/errors";
import type { Row as Site } from "../store/sites.js";
import * as structure from "../store/structure.js";
import { isEmpty, normalize } from "../tree/normalize.js";
import type { Tree } from "../tree/tree.js";
import type { Ctx } from "../trpc.js";
import { audienceOf, emitSiteAudience } from "./audience.js";
import { setPublished } from "./publication.js";

/** How many groups, sections and site spaces a site may have together. */
const MOST = 2000;

/**
 * Changes the structure of a site, whose lock is held: `change` edits a copy in memory, which is then made whole,
 * written, and emitted where it changes who reaches what. A published site that shows nothing any more is unpublished.
 * 409 `structure_full` for more than 2000 things.
 */
export async function restructure<Result>(
  ctx: Ctx,
  site: Site,
  change: (tree: Tree) => Result | Promise<Result>,
): Promise<{ tree: Tree; result: Result }> {
  const stored = await structure.load(ctx, site.id);
  const before = normalize(structuredClone(stored));
  const tree = structuredClone(before);
  const result = await change(tree);
  normalize(tree, before);
  if (sizeOf(tree) > Math.max(MOST, sizeOf(stored)))
    refuse("CONFLICT", `Site: holds at most ${MOST} sections, groups and spaces`, {
      reason: "structure_full",
    });
  await structure.save(ctx, site.id, stored, tree);
  if (site.published && isEmpty(tree)) await setPublished(ctx, site, false);
  else if (!isDeepStrictEqual(audienceOf(ctx, site, before), audienceOf(ctx, site, tree)))
    await emitSiteAudience(ctx, site, tree);
  return { tree, result };
}

const sizeOf = ({ groups, sections, siteSpaces }: Tree) =>
  groups.length + sections.length + siteSpaces.length;
