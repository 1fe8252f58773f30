import type { Summary, SummaryGroup, SummaryItem, SummaryPage } from "./summary.js";

interface Folder {
  name: string;
  readme?: string;
  pages: { name: string; file: string }[];
  folders: Map<string, Folder>;
}
const MARKDOWN = /\.(?:md|markdown)$/i;
const DEEPEST = 64;
const byName = new Intl.Collator("en", { numeric: true });

/**
 * The table of contents a repository without SUMMARY.md has: its landing page, then pages and folders by name. A
 * folder is the page of its README.md; without one a group at the top level, an empty page below. Titles are left
 * to the pages (""), dot folders and `node_modules` are left out.
 */
export function folderSummary(input: { files: string[]; readme: string; summaryFile: string }): Summary {
  const root = newFolder("");
  for (const file of input.files) {
    const parts = file.split("/");
    if (!MARKDOWN.test(file) || file === input.readme || file === input.summaryFile) continue;
    if (parts.some((part) => part.startsWith(".") || part === "node_modules")) continue;
    addFile(root, parts, file);
  }
  const nodes: (SummaryGroup | SummaryItem)[] = [];
  const landing = input.files.includes(input.readme) ? input.readme : root.readme;
  if (landing) nodes.push(page(landing));
  if (root.readme && root.readme !== landing) root.pages.push({ name: "README", file: root.readme });
  const stack: { folder: Folder; into: (SummaryGroup | SummaryItem)[] }[] = [{ folder: root, into: nodes }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    for (const entry of sorted(next.folder)) {
      if ("file" in entry) next.into.push(page(entry.file));
      else {
        const top = next.folder === root;
        const node: SummaryGroup | SummaryPage = entry.readme
          ? page(entry.readme)
          : { kind: top ? "group" : "page", title: titleOf(entry.name), children: [] };
        next.into.push(node);
        stack.push({ folder: entry, into: node.children });
      }
    }
  }
  return { nodes };
}

const newFolder = (name: string): Folder => ({ name, pages: [], folders: new Map() });
const page = (file: string): SummaryPage => ({ kind: "page", title: "", file, children: [] });

/** Folders nested too deep to be a page tree are read as part of the file's name. */
function addFile(root: Folder, parts: string[], file: string): void {
  let folder = root;
  for (const name of parts.slice(0, Math.min(parts.length - 1, DEEPEST))) {
    const inner = folder.folders.get(name) ?? newFolder(name);
    folder.folders.set(name, inner);
    folder = inner;
  }
  const name = parts.at(-1)!.replace(MARKDOWN, "");
  if (name.toLowerCase() === "readme" && folder.readme === undefined) folder.readme = file;
  else folder.pages.push({ name, file });
}

function sorted(folder: Folder): (Folder | { name: string; file: string })[] {
  return [...folder.pages, ...folder.folders.values()].sort(
    (a, b) => byName.compare(a.name, b.name) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}

/** "getting-started" as a title: "Getting started". */
export function titleOf(name: string): string {
  const words = name.replace(/[-_\s]+/g, " ").trim() || name;
  const [first = "", ...rest] = words;
  return first.toUpperCase() + rest.join("");
}
