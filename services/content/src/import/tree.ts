import { parseSummary, type Summary, SummaryError } from "@octavo/markdown/navigation/summary";
import { buildTree, type TreeNode, walkTree } from "@octavo/markdown/navigation/tree";
import { slugify } from "@octavo/markdown/source/slug";
import { readSource } from "@octavo/markdown/source/source";
import type { Material, SourceText } from "./material/material.js";
import type { Skipped } from "./material/skipped.js";
import { titleFor } from "./material/texts.js";

/** The pages of an import as a tree, and the text of each file that is byFile in it. */
export interface Tree {
  nodes: TreeNode[];
  texts: Map<string, SourceText>;
}

/**
 * The tree of what a source holds: as its table of contents says it, else as its folders do. A text beside a folder of
 * its name is the page of that folder.
 */
export function treeOf({ texts, summary, navigation, shown = as }: Material, skipped: Skipped): Tree {
  const folders = new Set(texts.flatMap(({ path }) => foldersOf(shown(path))));
  const byFile = new Map<string, SourceText>();
  const files = new Map<string, string>();
  for (const text of texts) {
    const stem = shown(text.path).replace(/\.\w+$/, "");
    const file = fileFor(stem, folders);
    const free = uniqueFile(file, byFile);
    byFile.set(free, text);
    files.set(text.path, free);
  }
  const contents = navigation
    ? withFiles(navigation, (file) => files.get(file))
    : summary && summaryIn(summary, files, skipped);
  const meta = (file: string) => {
    const text = byFile.get(file);
    if (!text) return undefined;
    const { slug, linkTitle } = readSource(text.markdown);
    const title = titleFor(text);
    return { title, linkTitle, slug: slug ?? slugOf(file, title) };
  };
  const { nodes } = buildTree({ summary: contents, files: byFile.keys(), meta });
  const listed = new Set(
    [...walkTree(nodes)].flatMap(({ node }) => (node.kind === "page" ? (node.file ?? []) : [])),
  );
  for (const [file, { path }] of byFile) if (!listed.has(file)) skipped.add("unlisted", path);
  return { nodes, texts: byFile };
}

const as = (path: string) => path;

/** Names that say nothing are no slugs: those of landing pages, of documents without a name, and long numbers. */
const slugOf = (file: string, title: string): string | undefined =>
  /^(README|page|\d{5,})\.md$/.test(file) ? slugify(title) : undefined;

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** As a file of a repository: `index` and `home` are landing pages, and so is what has a folder of its name. */
function fileFor(stem: string, folders: Set<string>): string {
  const landing = stem.replace(/(^|\/)(index|readme|home)$/i, "$1README");
  if (landing !== stem) return `${landing}.md`;
  return folders.has(stem) ? `${stem}/README.md` : `${stem}.md`;
}

function uniqueFile(file: string, taken: { has(file: string): boolean }): string {
  let free = file;
  for (let number = 1; taken.has(free); number += 1) free = file.replace(/\.md$/, `-${number}.md`);
  return free;
}

/** A table of contents in terms of the files that the texts are taken for; undefined when it can not be read. */
function summaryIn(
  { path, text }: { path: string; text: string },
  files: Map<string, string>,
  skipped: Skipped,
): Summary | undefined {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  try {
    return withFiles(parseSummary(text), (file) => files.get(folder + file));
  } catch (error) {
    if (!(error instanceof SummaryError)) throw error;
    skipped.add("summary", `${path}: ${error.problems[0]?.message ?? ""}`);
    return undefined;
  }
}

/** A table of contents whose pages are byFile by other files. */
function withFiles(summary: Summary, byFile: (file: string) => string | undefined): Summary {
  const open = [...summary.nodes];
  for (let item = open.pop(); item; item = open.pop()) {
    open.push(...item.children);
    if (item.kind === "page" && item.file) item.file = byFile(item.file) ?? item.file;
  }
  return summary;
}
