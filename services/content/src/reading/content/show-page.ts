import { found } from "@octavo/shared/errors";
import { inTurns } from "@octavo/shared/workers/yield";
import { seesEditLink } from "../../access/visitor.js";
import { isMade } from "../../pages/made.js";
import { isVisibleWithAncestors, isVisitor, redactTitle } from "../../pages/published.js";
import { textAsDocument, textAsMarkdown } from "../../pages/rendering.js";
import type { Evaluated } from "../../pages/schema.js";
import { pageWithTree } from "../../pages/view.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import { pagesBelow } from "../../store/entries.js";
import type { PageEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import { expandedPages } from "./read-computed.js";
import { fixedVersion } from "./whole.js";

/** A page with those below it and its text, as the caller is to see them; 404 when it is not there for them. */
export async function showPage(ctx: Ctx, scope: ResolvedTarget, part: queries.PageRow, flags: PageFlags) {
  if (part.id === null) return found(null, "Page");
  const { format, evaluated, metadata } = flags;
  const line = [part as PageEntry, ...(part.above ?? [])].map(redactTitle(scope, evaluated));
  if (!(await isVisibleWithAncestors(ctx, scope, line))) return found(null, "Page");
  const { title, props } = line[0]!;
  const { variables } = props;
  // What a source makes has no targets that were recorded.
  const of = isMade(part) ? undefined : part.id;
  const source = { version: scope.version, of, markdown: part.markdown ?? "", variables, evaluated };
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
