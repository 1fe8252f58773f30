import { posix } from "node:path";
import { decodePercent } from "@octavo/markdown/text/destination";
import { readFrontmatter } from "@octavo/markdown/yaml/frontmatter";
import type { Work } from "../../work/threads.js";
import type { Archive } from "../material/archive.js";
import {
  LARGEST_FILE,
  LARGEST_TEXT,
  type Material,
  MOST_PAGES,
  type SourceText,
} from "../material/material.js";
import { relativeTo } from "../material/relative.js";
import type { Skipped } from "../material/skipped.js";
import { decoded } from "../material/texts.js";
import { withoutNumber } from "./docusaurus-folders.js";
import type { Texts } from "./items.js";
import type { Site } from "./site.js";

const TEXT = /\.(mdx?|markdown)$/i;
const HIDDEN = /(^|\/)(\.|node_modules\/)/;
const ENDINGS = ["", ".md", ".mdx", "/index.md", "/index.mdx", "/README.md"];

interface Reading {
  work: Work;
  skipped: Skipped;
}

/** The texts and files of another tool's documentation, as ours: its blocks, its navigation, its addresses. */
export async function siteMaterial(
  archive: Archive,
  site: Site,
  { work, skipped }: Reading,
): Promise<Material> {
  const texts: Texts = new Map();
  const pages = archive.paths.filter(
    (path) => path.startsWith(site.root) && TEXT.test(path) && !HIDDEN.test(path.slice(site.root.length)),
  );
  for (const path of pages.filter(site.isPage).sort()) {
    const content = texts.size < MOST_PAGES ? await archive.read(path, LARGEST_TEXT) : undefined;
    const markdown = content && decoded(content);
    if (markdown === undefined) skipped.add(content ? "unreadable" : "limit", path);
    else texts.set(path, await textOf(path, markdown, site, work));
  }
  const navigation = await navigationOf(site, texts, skipped);
  return {
    texts: [...texts.values()],
    navigation,
    shown: shownIn(site),
    resolve: resolverOf(site, texts, new Set(archive.paths)),
    file: (path) => archive.read(path, LARGEST_FILE),
  };
}

async function textOf(path: string, markdown: string, { dialect }: Site, work: Work): Promise<SourceText> {
  const converted = await work.run("convertDialect", { markdown, dialect });
  return { path, markdown: converted, frontmatter: readFrontmatter(markdown.replace(/^\uFEFF/, "")).fields };
}

/** The navigation; without one, or when it cannot be read, the folders are it. */
async function navigationOf(site: Site, texts: Texts, skipped: Skipped): Promise<Material["navigation"]> {
  try {
    const nodes = await site.navigation(texts);
    return nodes && nodes.length > 0 ? { nodes } : undefined;
  } catch (error) {
    skipped.add("navigation", error instanceof Error ? error.message : "");
    return undefined;
  }
}

/** Paths as pages show them: from the folder of the pages, without numbers that only say the order. */
const shownIn =
  ({ root, numbered }: Site) =>
  (path: string): string => {
    const inside = path.startsWith(root) ? path.slice(root.length) : path;
    return numbered ? inside.split("/").map(withoutNumber).join("/") : inside;
  };

/**
 * What an address of such a documentation leads to: a file beside the text, or for an absolute one a page by its address
 * in the site, or a file of the folders that the site serves as they are.
 */
function resolverOf(site: Site, texts: Texts, files: Set<string>): Material["resolve"] {
  const shown = shownIn(site);
  const pages = new Map<string, string>();
  for (const [path, { frontmatter }] of texts) {
    const stem = shown(path)
      .replace(/\.\w+$/, "")
      .replace(/(^|\/)(index|readme)$/i, "");
    pages.set(trimmed(stem), path);
    const slug = frontmatter?.slug;
    if (typeof slug === "string")
      pages.set(trimmed(slug.startsWith("/") ? slug : posix.join(posix.dirname(stem), slug)), path);
  }
  const among = (path: string) => ENDINGS.map((ending) => path + ending).find((one) => files.has(one));
  return (from, written) => {
    const address = written.replace(/^pathname:\/\/|^@site(?=\/)/, "");
    if (!address.startsWith("/")) {
      const target = relativeTo(from, address);
      const path = target && (among(trimmed(target.path)) ?? pages.get(trimmed(shown(target.path))));
      return path === undefined ? undefined : { ...target!, path };
    }
    const [, place = "", anchor] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(address)!;
    const path = trimmed(
      posix
        .normalize(decodePercent(place))
        .normalize("NFC")
        .replace(/\.html$/, ""),
    );
    const names = [path, ...withoutPrefixes(path, site.prefixes)];
    const found =
      names.map((name) => pages.get(name)).find((one) => one !== undefined) ??
      [site.root, ...site.assets]
        .flatMap((folder) => names.map((name) => among(folder + name)))
        .find((one) => one !== undefined);
    return found === undefined ? undefined : { path: found, ...(anchor && { anchor }) };
  };
}

const trimmed = (path: string) => path.replace(/^\/+|\/+$/g, "");

/** What is left of an address behind what the addresses of a site begin with, one prefix after the other. */
function withoutPrefixes(path: string, prefixes: string[]): string[] {
  const left: string[] = [];
  let rest = path;
  for (const prefix of prefixes.map(trimmed)) {
    if (prefix === "" || (rest !== prefix && !rest.startsWith(`${prefix}/`))) continue;
    rest = trimmed(rest.slice(prefix.length));
    left.push(rest);
  }
  return left;
}
