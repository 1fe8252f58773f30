import { found, refuse } from "@octavo/shared/errors";
import type { Locking } from "../access/lock.js";
import { lockUnmerged } from "../review/change-requests/lock-unmerged.js";
import { lockTarget, type ResolvedTarget } from "../revisions/target.js";
import { ancestorsOf, siblingsUnder } from "../store/entries.js";
import { type BranchHead, lockBranch, ofKind, type ReadPoint, versionOfBranch } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import type { Target } from "./entries.js";

/** Where an import goes, as its caller names it. */
export interface Destination {
  spaceId: string;
  changeRequestId?: string;
  pageId?: string;
}

interface Locked {
  scope: ResolvedTarget;
  head: BranchHead;
  target: Target;
}

/**
 * The content that is imported into, locked, and where in it the pages go, for a caller who may edit it. Of who has
 * waited, orgs is asked once more.
 */
export async function lockDestination(
  ctx: Ctx,
  { pageId, ...input }: Destination,
  locking: Pick<Locking, "hasWaited"> = {},
): Promise<Locked> {
  const scope = await lockTarget(ctx, input, "space.edit", locking);
  const { space, changeRequest } = scope;
  const head = await lockBranch(ctx, changeRequest?.branch ?? space);
  if (changeRequest) await lockUnmerged(ctx, changeRequest.id, "edited");
  const version = versionOfBranch(space, head);
  const above = pageId === undefined ? [] : await pagesAbove(ctx, version, pageId);
  const siblings = await siblingsUnder(ctx, version, pageId ?? null);
  const slugs = above.flatMap(({ slug }) => slug ?? []).reverse();
  return { scope, head, target: { parent: pageId ?? null, slugs, siblings } };
}

/** The page that is imported into, and those above it. */
async function pagesAbove(ctx: Ctx, version: ReadPoint, pageId: string) {
  const line = await ancestorsOf(ctx, version, pageId);
  const page = found(ofKind(line[0], "page"), "Page");
  const { type } = page.props;
  if (type !== "document" && type !== "group") refuse("BAD_REQUEST", `Page: a ${type} can not hold pages`);
  return line;
}
