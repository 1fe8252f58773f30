import { isRecord } from "@octavo/markdown/yaml/record";
import { DEEPEST, groupItem, type Item, isHttp, linkItem, pageItem, type Texts, unwrapped } from "./items.js";
import { folderOf, nearest, type Settings, type Site } from "./site.js";

const CONFIG = /(^|\/)(docs|mint)\.json$/;

/** Documentation of Mintlify: `docs.json` or `mint.json`, whose `navigation` it is. */
export async function mintlifyIn({ paths, text }: Settings): Promise<Site | undefined> {
  const file = nearest(paths, CONFIG);
  const config = file === undefined ? undefined : parsed(await text(file));
  // A file of this name may be anybody's.
  if (
    file === undefined ||
    !isRecord(config) ||
    typeof config.navigation !== "object" ||
    typeof config.name !== "string"
  )
    return undefined;
  const { navigation } = config;
  const root = folderOf(file);
  return {
    dialect: "mintlify",
    root,
    assets: [],
    prefixes: [],
    numbered: false,
    isPage: (path) =>
      !/(^|\/)snippets\//.test(path) && !/(^|\/)(README|LICENSE|CONTRIBUTING)\.mdx?$/i.test(path),
    navigation: async (texts) => unwrapped(sectionsOf(navigation, { texts, root }, 0)),
  };
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/** What holds pages in a navigation, and what the thing is called that it holds. */
const PARTS = {
  tabs: "tab",
  anchors: "anchor",
  dropdowns: "dropdown",
  products: "product",
  versions: "version",
  languages: "language",
  menu: "item",
  groups: "group",
} as const;

interface Reading {
  texts: Texts;
  root: string;
}

function sectionsOf(of: unknown, read: Reading, depth: number): Item[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(of)) return of.flatMap((one) => sectionsOf(one, read, depth + 1));
  if (typeof of === "string") return pageOf(of, read);
  if (!isRecord(of)) return [];
  const inner = [...Object.keys(PARTS), "pages"].flatMap((key) =>
    Array.isArray(of[key]) ? sectionsOf(of[key], read, depth + 1) : [],
  );
  const title = Object.values(PARTS)
    .map((key) => of[key])
    .find((name) => typeof name === "string") as string | undefined;
  if (title === undefined) return inner;
  const url = of.href ?? of.url;
  if (inner.length === 0) return typeof url === "string" && isHttp(url) ? [linkItem(title, url)] : [];
  const own = typeof of.root === "string" ? pageOf(of.root, read)[0] : undefined;
  return own?.kind === "page" ? [pageItem(read.texts, own.file!, title, inner)] : [groupItem(title, inner)];
}

function pageOf(name: string, { texts, root }: Reading): Item[] {
  const stem = root + name.replace(/^\/+/, "").replace(/\.mdx?$/, "");
  const file = [`${stem}.mdx`, `${stem}.md`, `${stem}/index.mdx`, `${stem}/index.md`].find((one) =>
    texts.has(one),
  );
  return file === undefined ? [] : [pageItem(texts, file)];
}
