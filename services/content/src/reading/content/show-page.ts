import { found } from "@octavo/shared/errors";
import { inTurns } from "@octavo/shared/workers/yield";
import { seesEditLink } from "../../access/visitor.js";
import { withComputed } from "../../computed/expand.js";
import { isMade } from "../../pages/made.js";
import { isVisibleWithAncestors, isVisitor, redactTitle, shownPages } from "../../pages/published.js";
import { textAsDocument, textAsMarkdown } from "../../pages/rendering.js";
import type { Evaluated } from "../../pages/schema.js";
import { pageWithTree } from "../../pages/view.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import type { PageEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import type * as queries from "./queries.js";

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
  const made = flags.computed ? await withComputed(ctx, scope, part.below ?? []) : (part.below ?? []);
  const below = (await shownPages(ctx, scope, made)).map(redactTitle(scope, evaluated));
  return inTurns(pageWithTree(line, below, viewOptions(ctx, scope, metadata), body));
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
