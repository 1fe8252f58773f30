import { findComputed, withComputed } from "../../computed/expand.js";
import { filesIn } from "../../computed/files.js";
import { shownPages } from "../../pages/published.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import type { FileEntry, PageEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import type { PageRow } from "./queries.js";

/** By what a page is looked for. */
type Wanted = Parameters<typeof findComputed>[2];

/** A page that a source makes, as others are read; undefined when none makes it. */
export async function readComputed(
  ctx: Ctx,
  scope: ResolvedTarget,
  wanted: Wanted,
): Promise<PageRow | undefined> {
  const found = await findComputed(ctx, scope, wanted);
  if (!found) return undefined;
  const { entry, above, below } = found;
  return { ...entry, above, below, markdown: entry.made.markdown };
}

/** What was read of a page, or of one that a source makes where no page was found. */
export const orComputed = async (
  ctx: Ctx,
  scope: ResolvedTarget,
  part: PageRow,
  wanted: Wanted,
): Promise<PageRow> => (part.id === null ? ((await readComputed(ctx, scope, wanted)) ?? part) : part);

/** The pages that the caller is shown; with `computed`, those that sources make in the place of those that declare them. */
export const expandedPages = async (
  ctx: Ctx,
  scope: ResolvedTarget,
  entries: PageEntry[],
  computed: boolean,
): Promise<PageEntry[]> =>
  shownPages(ctx, scope, computed ? await withComputed(ctx, scope, entries) : entries);

/** A file that came with what a source made; undefined when there is none. */
export const computedFile = async (
  ctx: Ctx,
  scope: ResolvedTarget,
  id: string,
): Promise<FileEntry | undefined> => (await filesIn(ctx, scope)).find((file) => file.id === id);

/** The files of a version, with those that came with what its sources made. */
export const expandedFiles = async (
  ctx: Ctx,
  scope: ResolvedTarget,
  { pages, files }: { pages: PageEntry[]; files: FileEntry[] },
): Promise<FileEntry[]> =>
  pages.some(({ props }) => props.type === "computed") ? [...files, ...(await filesIn(ctx, scope))] : files;
