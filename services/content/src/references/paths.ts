import { arrayOf, isLong } from "@octavo/shared/database/any-of";
import { type RawBuilder, sql } from "kysely";
import { filesMeantBy, slugsMeantBy } from "../documents/addresses.js";
import { entriesAtGitPaths, entriesById, MAX_DEPTH } from "../store/entries.js";
import { INCLUDES, includePath } from "../store/includes.js";
import { prepareAt } from "../store/prepare-at.js";
import { type Entry, entriesOf, type ReadAt, type ReadPoint } from "../store/version.js";
import type { Ctx } from "../trpc.js";

/** Files that were not imported are addressed as if they lay there. */
export const ASSETS = ".gitbook/assets/";

interface Folder {
  kind: Entry["kind"];
  before: string;
  name: "title" | "slug";
  after: string;
}
/** What has no file in the repository is addressed as if it lay in the folder of its kind. */
const FOLDERS: Folder[] = [
  { kind: "file", before: ASSETS, name: "title", after: "" },
  { kind: "reusable", before: INCLUDES, name: "slug", after: ".md" },
];

/**
 * What lies at paths of a version. A path means the file of that name in the repository; else the page with these
 * slugs, with or without `.md`. As many queries as pages are nested, whatever the number of paths.
 */
export async function entriesAt(ctx: Ctx, version: ReadPoint, paths: string[]): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  if (paths.length === 0) return found;
  const files = await filesAt(ctx, version, [...new Set(paths.flatMap(filesMeantBy))]);
  for (const path of paths) {
    const file = filesMeantBy(path).find((file) => files.has(file));
    if (file !== undefined) found.set(path, files.get(file)!);
  }
  const left = () => paths.filter((path) => !found.has(path));
  const pages = await pagesAt(ctx, version, left().map(slugsMeantBy));
  for (const path of left()) {
    const page = pages.get(slugsMeantBy(path).join("/"));
    if (page) found.set(path, page);
  }
  for (const folder of FOLDERS)
    for (const [path, entry] of await entriesIn(ctx, version, folder, left())) found.set(path, entry);
  return found;
}

const entriesFrom = prepareAt<{ paths: string[] }, Entry>(
  (at, arg) => sql`${entriesOf(at, sql`e.git_path = any(${arrayOf(arg("paths"))})`)}`,
);

async function filesAt(ctx: Ctx, version: ReadPoint, paths: string[]): Promise<Map<string, Entry>> {
  const look = isLong(paths) ? entriesAtGitPaths(ctx, version, paths) : entriesFrom(ctx, version, { paths });
  const rows = await look;
  // A file that stands in the table of contents twice is two pages: the first is meant.
  const order = ({ kind, props, id }: Entry) =>
    `${String((kind === "page" && props.occurrence) || 0).padStart(4, "0")}${id}`;
  rows.sort((one, two) => (order(one) < order(two) ? 1 : -1));
  return new Map(rows.map((entry) => [entry.git_path!, entry]));
}

interface Level {
  parents: string[];
  slugs: string[];
}

type Arrays = Record<keyof Level, RawBuilder<string[]>>;

/** A look-up of pages by their slugs at a place. */
function pagesOf(place: (arrays: Arrays) => RawBuilder<unknown>) {
  const build = (at: ReadAt, arrays: Arrays) =>
    sql<Entry>`${entriesOf(at, sql`e.kind = 'page' and ${place(arrays)} and e.slug = any(${arrays.slugs})`)}`;
  const few = prepareAt<Level, Entry>((at, arg) =>
    build(at, { parents: arrayOf(arg("parents")), slugs: arrayOf(arg("slugs")) }),
  );
  return async (ctx: Ctx, version: ReadPoint, { parents, slugs }: Level): Promise<Entry[]> => {
    if (!isLong(parents) && !isLong(slugs)) return few(ctx, version, { parents, slugs });
    const many = build(version, { parents: arrayOf(parents), slugs: arrayOf(slugs) });
    return (await many.execute(ctx.db)).rows;
  };
}
const topPages = pagesOf(() => sql`e.parent is null`);
const pagesUnder = pagesOf(({ parents }) => sql`e.parent = any(${parents})`);

/** Pages by their joined slugs, found level by level. */
async function pagesAt(ctx: Ctx, version: ReadPoint, paths: string[][]): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  const deepest = Math.min(MAX_DEPTH, Math.max(0, ...paths.map(({ length }) => length)));
  let above: (Entry | undefined)[] = [undefined];
  for (let depth = 0; depth < deepest && above.length > 0; depth += 1) {
    const slugs = [...new Set(paths.flatMap((path) => path[depth] ?? []))];
    const parents = above.flatMap((entry) => entry?.id ?? []);
    const rows = await (depth === 0 ? topPages : pagesUnder)(ctx, version, { parents, slugs });
    const byPlace = new Map(rows.map((entry) => [`${entry.parent ?? ""}/${entry.slug}`, entry]));
    const reached = new Set<Entry>();
    for (const path of paths) {
      const parent = depth === 0 ? "" : found.get(path.slice(0, depth).join("/"))?.id;
      const entry = parent === undefined ? undefined : byPlace.get(`${parent}/${path[depth]}`);
      if (!entry) continue;
      found.set(path.slice(0, depth + 1).join("/"), entry);
      reached.add(entry);
    }
    above = [...reached];
  }
  return found;
}

/** The entries without a file in the repository that lie at paths in a folder. */
async function entriesIn(
  ctx: Ctx,
  version: ReadPoint,
  { kind, before, name, after }: Folder,
  paths: string[],
): Promise<Map<string, Entry>> {
  const names = paths
    .filter((path) => path.startsWith(before) && path.endsWith(after))
    .map((path) => path.slice(before.length, path.length - after.length));
  if (names.length === 0) return new Map();
  const where = sql`e.kind = ${kind} and e.git_path is null and ${sql.ref(`e.${name}`)} = any(${names})`;
  const { rows } =
    await sql<Entry>`select * from (${entriesOf(version, where)}) e order by e.id desc`.execute(ctx.db);
  return new Map(rows.map((entry) => [`${before}${entry[name]}${after}`, entry]));
}

/** The entries with these ids, each with the pages above it, innermost first. Those that are at hand are not read. */
export async function withAncestorsOf(
  ctx: Ctx,
  version: ReadPoint,
  ids: string[],
  atHand: Entry[] = [],
): Promise<Map<string, Entry[]>> {
  const known = new Map(atHand.map((entry) => [entry.id, entry]));
  const unknown = (wanted: Iterable<string>) => [...new Set(wanted)].filter((id) => !known.has(id));
  let wanted = unknown([...ids, ...atHand.flatMap(({ parent }) => parent ?? [])]);
  for (let depth = 0; wanted.length > 0 && depth < MAX_DEPTH; depth += 1) {
    const entries = await entriesById(ctx, version, wanted);
    for (const entry of entries.values()) known.set(entry.id, entry);
    wanted = unknown([...entries.values()].flatMap(({ parent }) => parent ?? []));
  }
  const lines = new Map<string, Entry[]>();
  for (const id of ids) {
    const line: Entry[] = [];
    for (let at = known.get(id); at && line.length < MAX_DEPTH; at = known.get(at.parent ?? ""))
      line.push(at);
    if (line.length > 0) lines.set(id, line);
  }
  return lines;
}

/** Where an entry lies: its file in the repository, or where it would lie by its slugs. */
export function pathOf([entry, ...above]: Entry[]): string {
  const { git_path, kind, title, slug } = entry!;
  if (git_path !== null) return git_path;
  if (kind === "file") return ASSETS + title;
  if (kind === "reusable") return includePath(entry!);
  return `${[...above.map((page) => page.slug).reverse(), slug].filter((part) => part !== null).join("/")}.md`;
}

/** The folder that the relative addresses of an entry start from. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
