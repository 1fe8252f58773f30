import { parseSummary, type Summary, SummaryError } from "@octavo/markdown/navigation/summary";
import { buildTree, type TreeNode } from "@octavo/markdown/navigation/tree";
import { slugify } from "@octavo/markdown/source/slug";
import { readSource } from "@octavo/markdown/source/source";
import { shownPath } from "./archived.js";
import type { Material, SourceText } from "./material.js";
import type { Source } from "./schema.js";
import type { Skipped } from "./skipped.js";
import { titleFor } from "./texts.js";

/** The pages of an import as a tree, and the text of each file that is named in it. */
export interface Tree {
  nodes: TreeNode[];
  texts: Map<string, SourceText>;
}

/**
 * The tree of what a source holds: as its table of contents says it, else as its folders do. A text beside a folder of
 * its name is the page of that folder.
 */
export function treeOf({ texts, summary }: Material, source: Source, skipped: Skipped): Tree {
  const folders = new Set(texts.flatMap(({ path }) => foldersOf(shownPath(path, source))));
  const named = new Map<string, SourceText>();
  const files = new Map<string, string>();
  for (const text of texts) {
    const stem = shownPath(text.path, source).replace(/\.\w+$/, "");
    const file = fileFor(stem, folders);
    const free = uniqueFile(file, named);
    named.set(free, text);
    files.set(text.path, free);
  }
  const contents = summary && summaryIn(summary, files, skipped);
  const meta = (file: string) => {
    const text = named.get(file);
    if (!text) return undefined;
    const { slug, linkTitle } = readSource(text.markdown);
    const title = titleFor(text);
    return { title, linkTitle, slug: slug ?? slugOf(file, title) };
  };
  const { nodes } = buildTree({ summary: contents, files: named.keys(), meta });
  return { nodes, texts: named };
}

/** Names that say nothing are no slugs: those of landing pages and of documents without a name. */
const slugOf = (file: string, title: string): string | undefined =>
  /^(README|page)\.md$/.test(file) ? slugify(title) : undefined;

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
    const summary = parseSummary(text);
    const open = [...summary.nodes];
    for (let item = open.pop(); item; item = open.pop()) {
      open.push(...item.children);
      if (item.kind === "page" && item.file) item.file = files.get(folder + item.file) ?? item.file;
    }
    return summary;
  } catch (error) {
    if (!(error instanceof SummaryError)) throw error;
    skipped.add("summary", `${path}: ${error.problems[0]?.message ?? ""}`);
    return undefined;
  }
}
