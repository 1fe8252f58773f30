import { readSettings, type Settings } from "@octavo/markdown/navigation/settings";
import { parseSummary, type Summary } from "@octavo/markdown/navigation/summary";
import { buildTree, namedIn, type TreeNode, walkTree } from "@octavo/markdown/navigation/tree";
import { sql } from "kysely";
import { isHidden, isMarkdown } from "../documents/names.js";
import { pruned } from "../documents/properties.js";
import { redirectsIn } from "../references/git-redirects.js";
import { MAX_NESTING } from "../store/entries.js";
import type { Ctx } from "../trpc.js";
import { GitError } from "./failure.js";
import { fileAt, filesMeant, filesWhere, keepFiles, markFiles, metaOf } from "./files.js";
import type { Operation } from "./operations.js";
import type { Repository } from "./repository.js";
import type { SkippedEntries } from "./skipped.js";
import { type Staged, stage } from "./staged.js";
import { joinPath, SETTINGS } from "./surroundings.js";
import { readTexts, textOf } from "./texts.js";

/**
 * Stages the pages of a commit. With a SUMMARY.md they are the files that it names; without one the tree is inferred
 * from the folders. Notes what is left out.
 */
export async function stagePages(
  ctx: Ctx,
  operation: Operation,
  repository: Repository,
  { directory, skipped }: { directory: string; skipped: SkippedEntries },
): Promise<void> {
  const { id } = operation;
  const { root, redirects, ...settings } = await settingsOf(repository, directory);
  await keepFiles(ctx, id, repository.entries(joinPath(directory, root)), skipped);
  const file = await fileAt(ctx, id, settings.summary);
  // Read twice, so that nothing of it is held while the texts are read.
  const summary = async () => file && parseSummary(await textOf(repository, file));
  const linked = await markPages(ctx, id, settings, await summary());
  await noteRedirects(ctx, id, { redirects, skipped });
  await readTexts(ctx, operation, repository, skipped);
  const { nodes, missing } = await treeOf(ctx, id, { settings, linked, summary });
  if (nodes.length === 0 && repository.commit !== undefined)
    throw new GitError("The project directory holds no pages");
  await stage(ctx, id, pagesIn(nodes));
  for (const { file } of missing) skipped.add("missing-page", file);
  if (file) await noteUnlisted(ctx, id, { settings, summary: await summary(), skipped });
}

async function settingsOf(repository: Repository, directory: string): Promise<Settings> {
  const file = await repository.file(directory, SETTINGS);
  return readSettings(file && (await textOf(repository, file)));
}

/** Notes the old paths that lead to no page, and those that are too many or too long. */
async function noteRedirects(
  ctx: Ctx,
  operation: string,
  { redirects, skipped }: Pick<Settings, "redirects"> & { skipped: SkippedEntries },
): Promise<void> {
  const { kept, left } = redirectsIn({ redirects });
  const files = [...kept.values()].map(({ file }) => file);
  const pages = new Set<string>();
  for await (const { path } of filesWhere(ctx, operation, sql`f.page and f.path = any(${files}::text[])`))
    pages.add(path);
  const missing = [...kept.values()].filter(({ file }) => !pages.has(file));
  for (const path of [...missing.map(({ reported }) => reported), ...left]) skipped.add("redirect", path);
}

type FilesOf = Omit<Settings, "root" | "redirects">;

/** Notes the lines of a table of contents that are no part of it, and the texts that it does not name. */
async function noteUnlisted(
  ctx: Ctx,
  operation: string,
  { settings, summary, skipped }: { settings: FilesOf; summary?: Summary; skipped: SkippedEntries },
) {
  for (const { line, kind } of summary?.ignored ?? [])
    skipped.add(kind === "include" ? kind : "summary-line", `${settings.summary}:${line}`);
  const unlisted = sql`f.path ~* '\\.(md|markdown)$' and not f.page and not f.reusable`;
  for await (const { path } of filesWhere(ctx, operation, unlisted))
    if (!isHidden(path) && path !== settings.summary) skipped.add("unlisted-page", path);
}

/** Notes which files are pages. Returns the other files that the table of contents leads to. */
async function markPages(
  ctx: Ctx,
  operation: string,
  { readme, summary: summaryFile }: FilesOf,
  summary: Summary | undefined,
): Promise<string[]> {
  if (summary) {
    await markFiles(ctx, operation, "page", await filesMeant(ctx, operation, namedIn(summary, "page")));
    return filesMeant(ctx, operation, namedIn(summary, "link"));
  }
  const pages: string[] = [];
  for await (const { path } of filesWhere(ctx, operation, sql`true`)) {
    const inferable = !isHidden(path) && path !== summaryFile;
    if (isMarkdown(path) && (inferable || path === readme)) pages.push(path);
  }
  await markFiles(ctx, operation, "page", pages);
  return [];
}

interface Reading {
  settings: FilesOf;
  linked: string[];
  summary: () => Promise<Summary | undefined>;
}

/** The tree of the pages. All that it is made of is let go of. */
async function treeOf(ctx: Ctx, operation: string, { settings, linked, summary }: Reading) {
  const files = [...linked];
  for await (const { path } of filesWhere(ctx, operation, sql`f.page`)) files.push(path);
  const { readme, summary: summaryFile } = settings;
  const meta = await metaOf(ctx, operation);
  return buildTree({ summary: await summary(), files, readme, summaryFile, meta });
}

/** The nodes of a tree as they are staged, each with its parent by the number that it gets. */
function* pagesIn(nodes: TreeNode[]): Generator<Staged> {
  const line: { node: TreeNode; ordinal: number }[] = [];
  let ordinal = 0;
  for (const { node, parent, index: place } of walkTree(nodes)) {
    while (line.length > 0 && line.at(-1)!.node !== parent) line.pop();
    if (line.length === MAX_NESTING)
      throw new GitError(`Pages nest at most ${MAX_NESTING} deep, and ${node.title} would be deeper`);
    yield { ...staged(node), parent: line.at(-1)?.ordinal, place, depth: line.length };
    line.push({ node, ordinal });
    ordinal += 1;
  }
}

function staged(node: TreeNode): Staged {
  const { title } = node;
  const page = (fields: Partial<Staged> & { props: object }): Staged => ({ kind: "page", title, ...fields });
  if (node.kind === "group") return page({ slug: node.slug, props: { type: "group" } });
  if (node.kind === "computed") return page({ props: { type: "computed", computed: node.source } });
  const { linkTitle, file } = node;
  if (node.kind === "link") {
    const props = pruned({ type: "link", target: { kind: "url", url: node.url }, linkTitle });
    return page({ props, leads_to: file === undefined ? undefined : { file, anchor: node.anchor } });
  }
  const { slug, occurrence } = node;
  return page({
    slug,
    file,
    occurrence,
    props: pruned({ type: "document", linkTitle, occurrence: occurrence || undefined }),
  });
}
