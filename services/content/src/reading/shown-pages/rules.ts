import { found } from "@octavo/shared/errors";
import { inTurns } from "@octavo/shared/workers/yield";
import type { z } from "zod";
import { visitorKey } from "../../access/claims.js";
import { findComputed } from "../../computed/expand.js";
import { isVisibleWithAncestors, isVisitor, redactTitle } from "../../pages/published.js";
import { treeOf } from "../../pages/view.js";
import { areComplete } from "../../references/backfill.js";
import { redirectedPage } from "../../references/git-redirects.js";
import { derivedOnce } from "../../revisions/cached.js";
import { type ResolvedTarget, readTarget, resolveTarget } from "../../revisions/target.js";
import { entriesOfKinds, MAX_NESTING, pathOf } from "../../store/entries.js";
import { ofKind, type PageEntry } from "../../store/version.js";
import type { Call, Ctx } from "../../trpc.js";
import { pageAlone } from "../content/queries.js";
import { expandedFiles, expandedPages, orComputed } from "../content/read-computed.js";
import { immutable } from "../content/rules.js";
import { showPageAlone } from "../content/show-page.js";
import { fixedVersion } from "../content/whole.js";
import { lengthsOf } from "./lengths.js";
import { pageByEarlierPath } from "./queries.js";
import type {
  GetShownPage,
  GetShownSpace,
  LocatedPage,
  LocatePage,
  ShownEntry,
  ShownPage,
  ShownSpace,
} from "./schema.js";
import { entryView, shownFileView } from "./view.js";

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
 * Returns the pages of a revision as a tree, and its files, as far as the visitor is shown them around each page; 404 for content
 * out of reach, 503 while too many are read at once. Kept once it is asked for again, as by a second reader.
 */
export async function space({
  ctx,
  input,
}: Call<typeof GetShownSpace>): Promise<z.output<typeof ShownSpace>> {
  const scope = await resolveTarget(ctx, immutable(input), "space.access");
  const made = await derivedOnce(ctx, scope, {
    key: JSON.stringify(["shown space", isVisitor(scope), ...visitorKey(ctx.caller)]),
    ifAskedAgain: true,
    sizeOf: ({ size }) => size,
    // Other requests may wait for it when this client is gone.
    make: () => ctx.wholeReads({ caller: ctx.caller }, () => readSpace(ctx, scope)),
  });
  return made.space;
}

/** About how many bytes a page or a file takes that is kept. */
const BYTES = 600;

async function readSpace(ctx: Ctx, scope: ResolvedTarget) {
  const entries = await entriesOfKinds(ctx, await fixedVersion(ctx, scope), ["page", "file"]);
  const pages = entries.flatMap((entry) => ofKind(entry, "page") ?? []);
  const files = entries.flatMap((entry) => ofKind(entry, "file") ?? []);
  const shown = (await expandedPages(ctx, scope, pages, true)).map(redactTitle(scope));
  const [expanded, lengths] = await Promise.all([
    expandedFiles(ctx, scope, { pages, files }),
    lengthsOf(ctx, scope.space, { pages: shown, files }),
  ]);
  const tree = treeOf<ShownEntry>(shown, (entry, above) => entryView(entry, above, lengths.get(entry)!));
  const space: z.output<typeof ShownSpace> = {
    pages: await inTurns(tree),
    files: expanded.map(shownFileView),
  };
  return { space, size: BYTES * (1 + shown.length + expanded.length) };
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
