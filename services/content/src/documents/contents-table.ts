import type { Settings } from "@octavo/markdown/navigation/settings";
import {
  type ComputedSource,
  parseSummary,
  type Summary,
  SummaryError,
  type SummaryItem,
} from "@octavo/markdown/navigation/summary";
import { buildTree, isSameTree, type TreeNode } from "@octavo/markdown/navigation/tree";
import { writeSummary } from "@octavo/markdown/navigation/write-summary";
import { slugify } from "@octavo/markdown/source/slug";
import type { PageProps } from "../db/tables/entries.js";

/** What the table of contents says of a page. */
export interface OutlinePage {
  id: string;
  parent: string | null;
  title: string;
  slug: string | null;
  /** The file that it is made of, or will be. */
  file: string | null;
  props: Pick<PageProps, "type" | "linkTitle" | "occurrence"> & { target?: unknown; computed?: unknown };
}

interface Wanted {
  /** All pages, siblings in order. */
  pages: OutlinePage[];
  settings: Settings;
  /** Texts that may do, the one on the branch first. */
  texts: (string | undefined)[];
  /** The branch has no table of contents, and needs none while its folders say the same. */
  canInfer: boolean;
}

/**
 * The text of the table of contents that shows these pages: one that is there already, byte for byte, when it shows just
 * them. Undefined when none is needed.
 */
export function tableOfContents({ pages, settings, texts, canInfer }: Wanted): string | undefined {
  const treeOf = treesOver(pages, settings);
  const read = [...new Set(texts)].flatMap((text) => {
    const summary = text === undefined ? undefined : summaryIn(text);
    return text !== undefined && summary ? [{ text, summary }] : [];
  });
  const wanted = summaryOf(pages, read[0]?.summary.title);
  const tree = treeOf(wanted);
  const kept = read.find(({ summary }) => isSameTree(treeOf(summary), tree));
  if (kept) return kept.text;
  if (canInfer && isSameTree(treeOf(undefined), tree)) return undefined;
  return writeSummary(wanted);
}

function summaryIn(text: string): Summary | undefined {
  try {
    return parseSummary(text);
  } catch (error) {
    if (error instanceof SummaryError) return undefined;
    throw error;
  }
}

/** Builds trees of the files that the pages are made of; without a table of contents, as their folders say it. */
function treesOver(pages: OutlinePage[], { readme, summary: summaryFile }: Settings) {
  const known = new Map(
    pages.flatMap((page) =>
      page.file === null || page.props.occurrence ? [] : [[page.file, page] as const],
    ),
  );
  const files = [...known.keys()];
  const meta = (file: string) => {
    const page = known.get(file);
    return (
      page && {
        title: page.title,
        linkTitle: page.props.linkTitle ?? undefined,
        slug: page.slug ?? undefined,
      }
    );
  };
  return (summary: Summary | undefined): TreeNode[] =>
    buildTree({ summary, files, readme, summaryFile, meta }).nodes;
}

/** The table of contents that shows these pages. */
function summaryOf(pages: OutlinePage[], title?: string): Summary {
  const files = new Map(pages.map(({ id, file }) => [id, file]));
  const below = new Map<string | null, OutlinePage[]>();
  for (const page of pages) {
    const siblings = below.get(page.parent);
    if (siblings) siblings.push(page);
    else below.set(page.parent, [page]);
  }
  const itemsUnder = (parent: string | null): SummaryItem[] =>
    (below.get(parent) ?? []).map((page) => itemOf(page, files, itemsUnder(page.id)));
  const nodes = (below.get(null) ?? []).map((page) => {
    if (page.props.type !== "group") return itemOf(page, files, itemsUnder(page.id));
    const slug = page.slug !== null && page.slug !== slugify(page.title, "group") ? page.slug : undefined;
    return { kind: "group" as const, title: page.title, slug, children: itemsUnder(page.id) };
  });
  return { title, nodes };
}

function itemOf(
  { title, file, props }: OutlinePage,
  files: Map<string, string | null>,
  children: SummaryItem[],
): SummaryItem {
  const linkTitle = props.linkTitle ?? undefined;
  if (props.type === "computed")
    return { kind: "computed", source: props.computed as ComputedSource, children };
  if (props.type === "link")
    return { kind: "link", title, linkTitle, url: addressOf(props.target, files), children };
  return { kind: "page", title, linkTitle, file: file ?? undefined, children };
}

/** Where a link leads: into the tree by the path of the file there. */
function addressOf(target: unknown, files: Map<string, string | null>): string {
  const { kind, url, page, anchor = "" } = target as Record<string, string | undefined>;
  if (kind === "url" || page === undefined) return url ?? "";
  const path = (files.get(page) ?? `broken/pages/${page}.md`).replace(/[%#?]/g, encodeURIComponent);
  return `${/^[^/]*:/.test(path) ? "./" : ""}${path}#${anchor}`;
}
