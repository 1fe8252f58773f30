import { posix } from "node:path";
import { isRecord } from "@octavo/markdown/yaml/record";
import { readYaml } from "@octavo/markdown/yaml/yaml";
import { DEEPEST, groupItem, type Item, isHttp, linkItem, pageItem, type Texts, unwrapped } from "./items.js";
import { folderAt, folderOf, nearest, type Settings, type Site } from "./site.js";

const CONFIG = /(^|\/)mkdocs\.ya?ml$/;
/** Characters of settings: a navigation may be long. */
const LONGEST = 500_000;

/** Documentation of MkDocs: `mkdocs.yml`, whose `nav` is the navigation. */
export async function mkdocsIn({ paths, text }: Settings): Promise<Site | undefined> {
  const file = nearest(paths, CONFIG);
  if (file === undefined) return undefined;
  const read = readYaml((await text(file)) ?? "", LONGEST);
  const settings = "value" in read && isRecord(read.value) ? read.value : {};
  const { docs_dir: folder, nav } = settings;
  const root = folderAt(folderOf(file), typeof folder === "string" ? folder : "docs");
  return {
    dialect: "mkdocs",
    root,
    assets: [],
    prefixes: [],
    numbered: false,
    isPage: () => true,
    navigation: async (texts) => {
      if ("problem" in read) throw new Error(`${file}:${read.problem.line}: ${read.problem.message}`);
      return Array.isArray(nav) ? unwrapped(itemsOf(nav, { texts, root }, 0)) : undefined;
    },
  };
}

interface Reading {
  texts: Texts;
  root: string;
}

function itemsOf(nav: unknown, read: Reading, depth: number): Item[] {
  if (!Array.isArray(nav) || depth > DEEPEST) return [];
  return nav.flatMap((entry): Item[] => {
    if (typeof entry === "string") return itemOf("", entry, read, depth);
    return isRecord(entry)
      ? Object.entries(entry).flatMap(([title, to]) => itemOf(title, to, read, depth))
      : [];
  });
}

function itemOf(title: string, to: unknown, read: Reading, depth: number): Item[] {
  if (Array.isArray(to)) {
    const children = itemsOf(to, read, depth + 1);
    // A section's own page is the first in it, and has no title of its own there.
    const [first] = to;
    if (typeof first === "string" && /(^|\/)(index|README)\.md$/.test(first) && children[0]?.kind === "page")
      return [{ ...pageItem(read.texts, read.root + first, title, children.slice(1)) }];
    return children.length > 0 ? [groupItem(title, children)] : [];
  }
  if (typeof to !== "string") return [];
  if (isHttp(to)) return [linkItem(title || to, to)];
  const path = posix.join(read.root, to);
  return read.texts.has(path) ? [pageItem(read.texts, path, title)] : [];
}
