import { found, refuseAt } from "@octavo/shared/errors";
import { seeTree } from "../site-spaces/seen.js";
import type { Row as Site } from "../store/sites.js";
import { ancestry, depthOf, putGroup } from "../tree/edit.js";
import type { Group, Tree } from "../tree/tree.js";
import type { Ctx } from "../trpc.js";
import { view } from "./view.js";

/** How many groups may lie in each other. */
const DEEPEST = 5;

/** A group of a structure; 404 when there is none. */
export const requireGroup = ({ groups }: Tree, id: string): Group =>
  found(
    groups.find((group) => group.id === id),
    "Section group",
  );

/** A group of a changed structure, as the caller sees it. */
export async function viewOf(ctx: Ctx, site: Site, tree: Tree, id: string) {
  return view(await seeTree(ctx, site, tree), requireGroup(tree, id));
}

/** Puts a group into another one or at the root; 404 for an unknown one, 400 into itself or too deep. */
export function nest(tree: Tree, row: Group, parent: string | null) {
  if (parent !== null && ancestry(tree, requireGroup(tree, parent).id).includes(row))
    refuseAt("body.parent", "lies in the group itself");
  putGroup(tree, row, parent);
  refuseTooDeep(tree, row);
}

/** 400 where more groups would lie in each other than may. */
export function refuseTooDeep(tree: Tree, row: Group) {
  if (ancestry(tree, row.parent).length + depthOf(tree, row) > DEEPEST)
    refuseAt("body.parent", `has ${DEEPEST} groups in each other with it at most`);
}
