import { resolvePath } from "@octavo/markdown/text/destination";
import { seesEditLink } from "../access/visitor.js";
import type { Targets } from "../documents/targets.js";
import { untag } from "../revisions/tag.js";
import type { ResolvedTarget } from "../revisions/target.js";
import type { Ctx } from "../trpc.js";
import { isVisitor } from "./published.js";

/**
 * What addresses lead to, with files of the repository as where its host shows them, for who may see where the space is
 * edited; for others, and where nobody said where that is, these lead nowhere. Costs a query where there are any.
 */
export async function withRepository(ctx: Ctx, scope: ResolvedTarget, targets: Targets): Promise<Targets> {
  if (![...targets.values()].some(({ kind }) => kind === "repository")) return targets;
  const { space } = scope;
  const isAllowed = !isVisitor(scope) || seesEditLink(ctx.caller, space);
  const tree = isAllowed ? await treeOf(ctx, space) : undefined;
  // A page with such links is no more the same at a revision for good: a sync may end.
  if (tree) untag(ctx);
  const seen: Targets = new Map();
  for (const [written, target] of targets) {
    const path = target.kind === "repository" ? tree && resolvePath(tree.folder, target.path) : undefined;
    if (target.kind !== "repository") seen.set(written, target);
    else if (tree && path !== undefined)
      seen.set(written, {
        kind: "url",
        url: `${tree.url}/${path.split("/").map(encodeURIComponent).join("/")}`,
      });
  }
  return seen;
}

async function treeOf({ db }: Ctx, space: string) {
  const row = await db.selectFrom("space").select("git").where("id", "=", space).executeTakeFirst();
  return row?.git?.tree;
}
