import { inTurns } from "@octavo/shared/workers/yield";
import type { z } from "zod";
import { isVisitor, redactTitle } from "../../../pages/published.js";
import type { ListPages, PageShape, ReadRevision } from "../../../pages/schema.js";
import { fileView, pageTree, reusableView } from "../../../pages/view.js";
import { tagRevision } from "../../../revisions/tag.js";
import { type ResolvedTarget, resolveTarget } from "../../../revisions/target.js";
import { entriesOfKind, entriesOfKinds } from "../../../store/entries.js";
import { type Entry, ofKind } from "../../../store/version.js";
import type { Call, Ctx } from "../../../trpc.js";
import { expandedFiles, expandedPages } from "../read-computed.js";
import { revisionHead } from "../revision-head.js";
import { addressFor, immutable } from "../rules.js";
import { viewOptions } from "../show-page.js";
import { fixedVersion, written } from "../whole.js";
import { writtenContent } from "../written-content.js";
import { writtenTree } from "../written-tree.js";

/** What a revision holds. */
const CONTENT: Entry["kind"][] = ["page", "file", "reusable", "variable"];

/**
 * Returns the whole content at a revision: pages, files, reusable contents and variables. 404 for content out of
 * reach, 503 while too many are read at once.
 */
export async function revision({ ctx, input }: Call<typeof ReadRevision>) {
  const scope = await resolveTarget(ctx, input, "space.access");
  const head = await revisionHead(ctx, scope, viewOptions(ctx, scope, input.metadata).metadata);
  if (!ctx.requested || isVisitor(scope))
    return ctx.wholeReads(ctx, async () => written(ctx, await contentOf(ctx, scope, input, head)));
  // What stands for the content is the content as bytes.
  return (await writtenContent(ctx, scope, input, head, () => contentOf(ctx, scope, input, head))) as never;
}

type Head = Awaited<ReturnType<typeof revisionHead>>;

async function contentOf(ctx: Ctx, scope: ResolvedTarget, input: z.output<typeof ReadRevision>, head: Head) {
  const entries = await entriesOfKinds(ctx, await fixedVersion(ctx, scope), CONTENT);
  const of = <Kind extends Entry["kind"]>(kind: Kind) =>
    entries.flatMap((entry) => ofKind(entry, kind) ?? []);
  const variables = Object.fromEntries(of("variable").map(({ title, props }) => [title, props.value]));
  const options = viewOptions(ctx, scope, input.metadata);
  const { metadata } = options;
  const declared = { pages: of("page"), files: of("file") };
  const shown = (await expandedPages(ctx, scope, declared.pages, input.computed)).map(redactTitle(scope));
  const files = input.computed ? await expandedFiles(ctx, scope, declared) : declared.files;
  return {
    ...head,
    pages: await inTurns(pageTree(shown, options)),
    files: files.map((entry) => fileView(entry, metadata, addressFor(ctx, scope))),
    reusableContents: of("reusable").map((entry) => reusableView(redactTitle(scope)(entry), metadata)),
    variables: Object.keys(variables).length ? variables : undefined,
  };
}

/** Returns the tree of pages of a version; 404 for content out of reach, 503 while too many are read at once. */
export async function pages({ ctx, input }: Call<typeof ListPages>): Promise<{ pages: PageShape[] }> {
  if (ctx.requested) {
    const scope = await resolveTarget(ctx, input, "space.view");
    tagRevision(ctx, scope, input.revisionId !== undefined);
    // What stands for the tree is the tree as bytes.
    if (!isVisitor(scope)) return (await writtenTree(ctx, scope, input)) as never;
  }
  const scope = await resolveTarget(ctx, immutable(input), "space.view");
  return ctx.wholeReads(ctx, async () => {
    const entries = await entriesOfKind(ctx, await fixedVersion(ctx, scope), "page");
    // What is below a page that is left out is left out with it.
    const shown = (await expandedPages(ctx, scope, entries, input.computed)).map(redactTitle(scope));
    return written(ctx, { pages: await inTurns(pageTree(shown, viewOptions(ctx, scope, input.metadata))) });
  });
}
