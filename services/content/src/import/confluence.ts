import type { Summary, SummaryItem } from "@octavo/markdown/navigation/summary";
import type { ContentsItem } from "../documents/exported/confluence.js";
import type { Work } from "../work/threads.js";
import { relativeTo } from "./material/relative.js";
import type { Skipped } from "./material/skipped.js";
import { decoded } from "./material/texts.js";
import { DEEPEST, MOST_ITEMS } from "./sites/items.js";

interface Reading {
  /** Where the contents lie. */
  path: string;
  /** The files of the archive. */
  files: Set<string>;
  work: Work;
  skipped: Skipped;
}

/**
 * The navigation of an exported Confluence space, as its first file lists the pages; undefined when that lists none, or
 * cannot be read.
 */
export async function confluenceNavigation(
  content: Buffer,
  { path, files, work, skipped }: Reading,
): Promise<Summary | undefined> {
  const html = decoded(content);
  const contents =
    html === undefined ? undefined : await work.run("readContents", { html }).catch(() => undefined);
  if (!contents) skipped.add("navigation", path);
  let left = MOST_ITEMS;
  const items = (from: ContentsItem[], depth: number): SummaryItem[] =>
    from.flatMap(({ title, href, children }) => {
      const file = relativeTo(path, href)?.path;
      const below = depth < DEEPEST ? items(children, depth + 1) : [];
      if (file === undefined || !files.has(file) || left === 0) return below;
      left -= 1;
      return [{ kind: "page", title, file, children: below }];
    });
  const nodes = items(contents ?? [], 1);
  return nodes.length > 0 ? { nodes } : undefined;
}
