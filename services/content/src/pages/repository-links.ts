import { resolvePath } from "@octavo/markdown/text/destination";
import { seesEditLink } from "../access/visitor.js";
import type { GitInfo } from "../db/tables/spaces.js";
import { relativeParts } from "../documents/addresses.js";
import type { Targets } from "../documents/targets.js";
import { pathInRepository } from "../references/resolve-addresses.js";
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
  const tree = isAllowed ? await repositoryTree(ctx, space) : undefined;
  // A page with such links is no more the same at a revision for good: a sync may end.
  if (tree) untag(ctx);
  const seen: Targets = new Map();
  for (const [written, target] of targets) {
    if (target.kind !== "repository") {
      seen.set(written, target);
      continue;
    }
    const url = tree && shownAt(tree, target.path);
    if (url !== undefined) seen.set(written, { kind: "url", url });
  }
  return seen;
}

export type RepositoryTree = NonNullable<GitInfo["tree"]>;

/** Where the host of a space's repository shows its files; undefined when nobody said. */
export async function repositoryTree({ db }: Ctx, space: string): Promise<RepositoryTree | undefined> {
  const row = await db.selectFrom("space").select("git").where("id", "=", space).executeTakeFirst();
  return row?.git?.tree;
}

/** Where the host shows a file, by its path from the folder of the content; undefined for one outside of the repository. */
function shownAt({ url, folder }: RepositoryTree, path: string): string | undefined {
  const inside = resolvePath(folder, path);
  return inside === undefined ? undefined : `${url}/${inside.split("/").map(encodeURIComponent).join("/")}`;
}

/**
 * Where the host shows what an address in a text means that leads to nothing in the space; undefined where documents leave the
 * address as it is written.
 */
export function addressInRepository(
  tree: RepositoryTree,
  { sourcePath, url }: { sourcePath: string; url: string },
): string | undefined {
  const parts = url.includes("?") ? undefined : relativeParts(url);
  const path = parts && pathInRepository(sourcePath, parts.path);
  const shown = path === undefined ? undefined : shownAt(tree, path);
  const anchor = parts?.anchor ? `#${encodeURIComponent(parts.anchor)}` : "";
  return shown === undefined ? undefined : shown + anchor;
}
