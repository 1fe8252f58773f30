import { found } from "@octavo/shared/errors";
import { inTurns } from "@octavo/shared/workers/yield";
import { seesEditLink } from "../../access/visitor.js";
import { isMade } from "../../pages/made.js";
import { isVisibleWithAncestors, isVisitor, redactTitle } from "../../pages/published.js";
import { type Source, textAsDocument, textAsJson, textAsMarkdown } from "../../pages/rendering.js";
import type { Evaluated, PageShape } from "../../pages/schema.js";
import { pageView, pageWithTree } from "../../pages/view.js";
import type { PathLink } from "../../references/resolve-addresses.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import { pagesBelow } from "../../store/entries.js";
import type { PageEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import { expandedPages } from "./read-computed.js";
import { fixedVersion } from "./whole.js";

/** A page with those below it and its text, as the caller is to see them; 404 when it is not there for them. */
export async function showPage(ctx: Ctx, scope: ResolvedTarget, part: queries.PageRow, flags: PageFlags) {
  const { format, evaluated, metadata } = flags;
  const { line, source } = await visibleLine(ctx, scope, part, evaluated);
  const { title } = line[0]!;
  const body =
    format === "document"
      ? { document: await textAsDocument(ctx, scope, source) }
      : { markdown: await textAsMarkdown(ctx, scope, { ...source, title }) };
  const show = async (pages: PageEntry[]) => {
    const shown = await expandedPages(ctx, scope, pages, flags.computed);
    const below = shown.map(redactTitle(scope, evaluated));
    return inTurns(pageWithTree(line, below, viewOptions(ctx, scope, metadata), body));
  };
  const few = part.below ?? [];
  if (few.length <= queries.MOST_BELOW || isMade(part)) return show(few);
  const { id } = line[0]!;
  return ctx.wholeReads(ctx, async () => show(await pagesBelow(ctx, await fixedVersion(ctx, scope), id)));
}

/**
 * A page by itself, and its document as JSON, both as the caller is to see them; 404 when it is not there for them. `links`
 * are the relative addresses in its text, where they were read with it.
 */
export async function showPageAlone(
  ctx: Ctx,
  scope: ResolvedTarget,
  part: queries.PageRow,
  { metadata, links }: { metadata: boolean; links?: PathLink[] },
): Promise<{ page: PageShape; document: string }> {
  const { line, source } = await visibleLine(ctx, scope, part, "true");
  const document = await textAsJson(ctx, scope, { ...source, ...(links && { links }) });
  return { page: pageView(line, viewOptions(ctx, scope, metadata)), document };
}

/** A page with those above it, innermost first, and its text; 404 when it is not there for the caller. */
async function visibleLine(
  ctx: Ctx,
  scope: ResolvedTarget,
  part: queries.PageRow,
  evaluated: Evaluated,
): Promise<{ line: PageEntry[]; source: Source }> {
  if (part.id === null) return found(null, "Page");
  const line = [part as PageEntry, ...(part.above ?? [])].map(redactTitle(scope, evaluated));
  if (!(await isVisibleWithAncestors(ctx, scope, line))) return found(null, "Page");
  const { variables } = line[0]!.props;
  // What a source makes has no targets that were recorded.
  const of = isMade(part) ? undefined : part.id;
  return {
    line,
    source: { version: scope.version, of, markdown: part.markdown ?? "", variables, evaluated },
  };
}

interface PageFlags {
  computed: boolean;
  metadata: boolean;
  format: "document" | "markdown";
  evaluated: Evaluated;
}

/**
 * How pages and files of a version are shown. Visitors see none of their metadata, but for the paths of pages in git where
 * the site shows edit links.
 */
export const viewOptions = ({ urls, caller }: Ctx, scope: ResolvedTarget, metadata: boolean) => ({
  urls,
  space: scope.space,
  metadata: metadata && !isVisitor(scope),
  gitPath: metadata && seesEditLink(caller, scope.space),
});
