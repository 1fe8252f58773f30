import type { Settings } from "@octavo/markdown/navigation/settings";
import { parseSummary, type Summary, SummaryError } from "@octavo/markdown/navigation/summary";
import { buildTree, isSameTree, type TreeNode } from "@octavo/markdown/navigation/tree";
import { writeSummary } from "@octavo/markdown/navigation/write-summary";
import { type OutlinePage, summaryOf } from "./outline.js";

interface Known {
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
export function tableOfContents(
  pages: OutlinePage[],
  { settings, texts, canInfer }: Known,
): string | undefined {
  const treeOf = treesOver(pages, settings);
  const read = texts.flatMap((text) => {
    const summary = text === undefined ? undefined : summaryIn(text);
    return summary ? [{ text: text!, summary }] : [];
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
