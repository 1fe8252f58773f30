import { found } from "@octavo/shared/errors";
import type { z } from "zod";
import { findComputed } from "../../computed/expand.js";
import { isVisibleWithAncestors } from "../../pages/published.js";
import { areComplete } from "../../references/backfill.js";
import { redirectedPage } from "../../references/git-redirects.js";
import { readTarget } from "../../revisions/target.js";
import { MAX_NESTING, pathOf } from "../../store/entries.js";
import type { PageEntry } from "../../store/version.js";
import type { Call } from "../../trpc.js";
import { pageAlone } from "../content/queries.js";
import { orComputed } from "../content/read-computed.js";
import { immutable } from "../content/rules.js";
import { showPageAlone } from "../content/show-page.js";
import { pageByEarlierPath } from "./queries.js";
import type { GetShownPage, LocatedPage, LocatePage, ShownPage } from "./schema.js";

/** Returns a page by id without those below it, its document as JSON; 404 when there is none or the visitor may not see it. */
export async function page({ ctx, input }: Call<typeof GetShownPage>): Promise<z.output<typeof ShownPage>> {
  const { pageId: page, metadata } = input;
  const likely = { ...immutable(input), likelyHead: true };
  // What is not recorded yet when the page is read is not among its links.
  const recorded = areComplete(ctx, input.spaceId);
  const { scope, part } = await readTarget(ctx, likely, "space.view", pageAlone, { page });
  const links = recorded ? (part.links ?? []) : undefined;
  const shown = await orComputed(ctx, scope, part, { id: page });
  return showPageAlone(ctx, scope, shown, { metadata, ...(links && { links }) });
}

/**
 * Returns the document or group at a path, whose case makes no difference, or else the one that had this path last in the
 * revision or before it, and still is there at another one, or else where the settings in git lead from it; 404 when there is
 * none or the visitor may not see it.
 */
export async function locate({ ctx, input }: Call<typeof LocatePage>): Promise<z.output<typeof LocatedPage>> {
  const { spaceId, revisionId, claims } = input;
  const slugs = input.path.replace(/^\/+|\/+$/g, "").split("/");
  if (slugs.length > MAX_NESTING) return found(undefined, "Page");
  const likely = { spaceId, revisionId, likelyHead: true };
  const { scope, part } = await readTarget(ctx, likely, "space.view", pageByEarlierPath, { slugs });
  const isThere = part.line && pathOf(part.line).toLowerCase() === slugs.join("/").toLowerCase();
  const computed = isThere ? undefined : await findComputed(ctx, scope, { slugs });
  const line: PageEntry[] = computed
    ? [computed.entry, ...computed.above]
    : (part.line ?? (await redirectedPage(ctx, scope.version, input.path)));
  if (line.length === 0) return found(undefined, "Page");
  // A service asks for a visitor, and names what the visitor claims.
  const asked = ctx.caller.kind === "service" ? claims : undefined;
  if (!(await isVisibleWithAncestors(ctx, scope, line, asked))) return found(undefined, "Page");
  return { pageId: line[0]!.id, path: pathOf(line) };
}
