import { found } from "@octavo/shared/errors";
import { type Seen, seenIn, seeTree } from "../site-spaces/seen.js";
import type { Row as Site } from "../store/sites.js";
import { type Section, type Tree, variantsOf } from "../tree/tree.js";
import type { Ctx } from "../trpc.js";
import { view } from "./view.js";

/** Whether the caller sees anything in a section. */
export const isSeen = (seen: Seen, { id }: Section): boolean => seenIn(seen, id).length > 0;

/** The section of this id; 404 where there is none. */
export const requireSection = ({ sections }: Tree, id: string): Section =>
  found(
    sections.find((section) => section.id === id),
    "Section",
  );

/** A section after a change, with what the caller sees in it. */
export async function viewOf(ctx: Ctx, site: Site, tree: Tree, id: string) {
  const seen = await seeTree(ctx, site, tree, variantsOf(tree, id));
  return view(seen, requireSection(tree, id));
}
