import { titleOf } from "@octavo/markdown/navigation/folders";
import { isRecord } from "@octavo/markdown/yaml/record";
import { DEEPEST, groupItem, type Item, isHttp, linkItem, pageItem, type Texts, unwrapped } from "./items.js";
import { literalIn } from "./literal.js";
import { folderAt, nearest, type Settings, type Site } from "./site.js";

const CONFIG = /(^|\/)\.vitepress\/config(\/index)?\.[cm]?[jt]s$/;

/** Documentation of VitePress: `.vitepress/config.*`, whose `themeConfig.sidebar` is the navigation. */
export async function vitepressIn({ paths, text }: Settings): Promise<Site | undefined> {
  const file = nearest(paths, CONFIG);
  if (file === undefined) return undefined;
  const config = await literalIn((await text(file)) ?? "");
  const { srcDir, themeConfig, base } = isRecord(config) ? config : {};
  const top = file.replace(CONFIG, "$1");
  const root = folderAt(top, typeof srcDir === "string" ? srcDir : "");
  const sidebar = isRecord(themeConfig) ? themeConfig.sidebar : undefined;
  return {
    dialect: "vitepress",
    root,
    assets: [`${root}public/`, top],
    numbered: false,
    prefixes: typeof base === "string" ? [base] : [],
    isPage: () => true,
    navigation: async (texts) => {
      const read = { texts, root };
      if (Array.isArray(sidebar)) return unwrapped(itemsOf(sidebar, "", read, 0));
      if (!isRecord(sidebar)) return undefined;
      const parts = Object.entries(sidebar).map(([path, part]) => {
        const { items = part, base: from } = isRecord(part) ? part : {};
        const children = itemsOf(items, typeof from === "string" ? from : "", read, 0);
        return groupItem(titleOf(path.split("/").filter(Boolean).at(-1) ?? "Pages"), children);
      });
      return withHome(unwrapped(parts), read);
    },
  };
}

interface Reading {
  texts: Texts;
  root: string;
}

function itemsOf(items: unknown, base: string, read: Reading, depth: number): Item[] {
  if (!Array.isArray(items) || depth > DEEPEST) return [];
  return items.filter(isRecord).flatMap((item): Item[] => {
    const text = typeof item.text === "string" ? item.text : "";
    const from = typeof item.base === "string" ? item.base : base;
    const children = itemsOf(item.items, from, read, depth + 1);
    const link = typeof item.link === "string" ? item.link : undefined;
    if (link !== undefined && isHttp(link)) return [linkItem(text || link, link)];
    const file = link === undefined ? undefined : fileOf(from + link, read);
    if (file !== undefined) return [pageItem(read.texts, file, text, children)];
    return children.length > 0 ? [groupItem(text, children)] : [];
  });
}

/** The home page belongs to no sidebar. */
function withHome(items: Item[], { texts, root }: Reading): Item[] {
  const home = `${root}index.md`;
  return texts.has(home) ? [pageItem(texts, home), ...items] : items;
}

function fileOf(link: string, { texts, root }: Reading): string | undefined {
  const path =
    root +
    link
      .replace(/[?#].*$/, "")
      .replace(/^\/+/, "")
      .replace(/\.(html|md)$/, "");
  const stem = path.replace(/\/+$/, "");
  return [
    `${stem}.md`,
    `${stem}/index.md`,
    stem === "" ? "index.md" : `${stem}/README.md`,
    `${path}index.md`,
  ].find((one) => texts.has(one));
}
