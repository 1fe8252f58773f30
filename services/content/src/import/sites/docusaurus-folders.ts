import { posix } from "node:path";
import { titleOf } from "@octavo/markdown/navigation/folders";
import { isRecord } from "@octavo/markdown/yaml/record";
import { readYaml } from "@octavo/markdown/yaml/yaml";
import { DEEPEST, groupItem, type Item, pageItem, type Texts } from "./items.js";
import type { Settings } from "./site.js";

/** What a sidebar is read with. */
export interface Reading {
  texts: Texts;
  root: string;
  settings: Settings;
  /** The files of pages by the ids that sidebars have for them. */
  ids: Map<string, string>;
}

/** A number that says the order of a file or folder, and is no part of its name. */
const NUMBER = /^(\d+)\s*[-_.]+\s*(?=[^\d\s.])/;
const LANDING = /^(index|readme)$/i;

/** A name without the number before it. */
export const withoutNumber = (name: string): string => name.replace(NUMBER, "");

/** The files of pages by their ids: paths without numbers and extensions, whose last part the frontmatter may say. */
export function idsOf(texts: Texts, root: string): Map<string, string> {
  const ids = new Map<string, string>();
  for (const [path, { frontmatter }] of texts) {
    const parts = path
      .slice(root.length)
      .replace(/\.\w+$/, "")
      .split("/");
    const plain = parts.map(withoutNumber).join("/");
    if (!ids.has(plain)) ids.set(plain, path);
    const own = frontmatter?.id;
    if (typeof own === "string") ids.set([...parts.slice(0, -1).map(withoutNumber), own].join("/"), path);
    ids.set(parts.join("/"), path);
  }
  return ids;
}

interface Placed {
  name: string;
  position: number;
  item: Item;
}

/** The pages below a folder, as Docusaurus orders them by itself. */
export async function inFolder(reading: Reading, folder: string, depth: number): Promise<Item[]> {
  if (depth > DEEPEST) return [];
  const { texts, root } = reading;
  const prefix = folder === "" ? root : `${root}${folder}/`;
  const names = new Set<string>();
  for (const path of texts.keys())
    if (path.startsWith(prefix)) names.add(path.slice(prefix.length).split("/")[0]!);
  const placed: Placed[] = [];
  for (const name of names) {
    const path = prefix + name;
    const one = texts.has(path)
      ? placedPage(texts, path)
      : await placedFolder(reading, posix.join(folder, name), depth);
    if (one) placed.push(one);
  }
  placed.sort((one, other) => one.position - other.position || compare(one.name, other.name));
  return placed.map(({ item }) => item);
}

const { compare } = new Intl.Collator("en", { numeric: true });

/** The landing page of a folder is that of its category, unless the folder is the top. */
function placedPage(texts: Texts, path: string): Placed | undefined {
  const name = posix.basename(path).replace(/\.\w+$/, "");
  const fields = texts.get(path)!.frontmatter ?? {};
  const number = typeof fields.sidebar_position === "number" ? fields.sidebar_position : numberIn(name);
  const label = typeof fields.sidebar_label === "string" ? fields.sidebar_label : "";
  return { name, position: LANDING.test(name) ? -1 : number, item: pageItem(texts, path, label) };
}

async function placedFolder(reading: Reading, folder: string, depth: number): Promise<Placed | undefined> {
  const { texts, root } = reading;
  const name = posix.basename(folder);
  const category = await categoryAt(reading, `${root}${folder}/`);
  const children = await inFolder(reading, folder, depth + 1);
  const label = typeof category.label === "string" ? category.label : titleOf(withoutNumber(name));
  const link =
    isRecord(category.link) && typeof category.link.id === "string"
      ? reading.ids.get(category.link.id)
      : undefined;
  const landing = children.find(
    (child) => child.kind === "page" && child.file !== undefined && isLandingOf(child.file, name),
  );
  const own = link ?? (landing?.kind === "page" ? landing.file : undefined);
  const rest =
    own === undefined ? children : children.filter((child) => child.kind !== "page" || child.file !== own);
  if (own === undefined && rest.length === 0) return undefined;
  const item =
    own === undefined
      ? groupItem(label, rest)
      : pageItem(texts, own, category.label === undefined ? "" : label, rest);
  return { name, position: typeof category.position === "number" ? category.position : numberIn(name), item };
}

const isLandingOf = (file: string, folder: string) => {
  const name = posix.basename(file).replace(/\.\w+$/, "");
  const own = posix.basename(posix.dirname(file)) === folder;
  return own && (LANDING.test(name) || withoutNumber(name) === withoutNumber(folder));
};

/** Pages without a place come last. */
const numberIn = (name: string): number => Number(NUMBER.exec(name)?.[1] ?? Number.MAX_SAFE_INTEGER);

async function categoryAt({ settings }: Reading, folder: string): Promise<Record<string, unknown>> {
  for (const name of ["_category_.json", "_category_.yml", "_category_.yaml"]) {
    if (!settings.paths.includes(folder + name)) continue;
    const read = readYaml((await settings.text(folder + name)) ?? "");
    if ("value" in read && isRecord(read.value)) return read.value;
  }
  return {};
}
