import { posix } from "node:path";
import { extractLinks } from "@octavo/markdown/links/links";
import type { Settings } from "@octavo/markdown/navigation/settings";
import { sql } from "kysely";
import { nameAt } from "../../files/name.js";
import { pathOf, withAncestorsOf } from "../../references/paths.js";
import { bodiesOf } from "../../store/bodies.js";
import { type Entry, entriesOf, type ReadPoint } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/** Bytes; what an import would refuse gets a short name. */
const LONGEST = 900;
/** Names that are tried before an id makes one that nobody has. */
const MOST_TRIES = 20;

interface Naming {
  version: ReadPoint;
  settings: Settings;
  /** Which of some paths the branch has files at that are none of the space's. */
  taken: (paths: string[]) => Promise<Set<string>>;
}

/**
 * The paths of files for entries that have none: a page lies where links lead to by its slugs, so that the addresses in
 * its text stay right; the first page of a space without one is its landing page.
 */
export async function nameFiles(ctx: Ctx, entries: Entry[], naming: Naming): Promise<Map<string, string>> {
  const wanted = await wantedNames(ctx, entries, naming);
  const pathsById = new Map<string, string>();
  const given = new Set<string>();
  let open = [...wanted];
  for (let attempt = 0; open.length > 0; attempt += 1) {
    const tried = open.map(([id, path]) => ({
      id,
      path,
      name: variant(path, attempt < MOST_TRIES ? attempt : id),
    }));
    const names = tried.map(({ name }) => name);
    const taken = await filesAmong(ctx, naming.version, names);
    for (const path of await naming.taken(names)) taken.add(path);
    open = [];
    for (const { id, path, name } of tried) {
      if (taken.has(name) || given.has(name)) open.push([id, path]);
      else {
        pathsById.set(id, name);
        given.add(name);
      }
    }
  }
  return pathsById;
}

/** `guide.md`, then `guide-1.md`, `guide-2.md`… */
function variant(path: string, attempt: number | string): string {
  if (attempt === 0) return path;
  const { dir, name, ext } = posix.parse(path);
  return posix.join(dir, `${name}-${attempt}${ext}`);
}

async function filesAmong(ctx: Ctx, version: ReadPoint, paths: string[]): Promise<Set<string>> {
  const { rows } = await sql<{
    git_path: string;
  }>`${entriesOf(version, sql`e.git_path = any(${paths})`, sql`e.git_path`)}`.execute(ctx.db);
  return new Set(rows.map(({ git_path }) => git_path));
}

async function wantedNames(ctx: Ctx, entries: Entry[], naming: Naming): Promise<Map<string, string>> {
  const { version, settings } = naming;
  const ids = entries.map(({ id }) => id);
  const lines = await withAncestorsOf(ctx, version, ids);
  const landing = await landingPage(ctx, version, settings);
  const parents = await parentsAmong(ctx, version, ids);
  const wanted = new Map<string, string>();
  // In the order of ids, so that of files with one name the first keeps it: that is the one that links mean.
  for (const entry of [...entries].sort((one, other) => (one.id < other.id ? -1 : 1))) {
    const [, ...above] = lines.get(entry.id) ?? [entry];
    const path = safe(pathOf([{ ...entry, git_path: null }, ...above]), entry.id);
    if (entry.id === landing) wanted.set(entry.id, settings.readme);
    else
      wanted.set(
        entry.id,
        parents.has(entry.id) && (await canMove(ctx, version, entry)) ? folderPage(path) : path,
      );
  }
  return wanted;
}

/** A page with pages below it is written as the README of their folder. */
const folderPage = (path: string) => path.replace(/\.md$/, "/README.md");

/** Whether the text of a page says the same in another folder. */
async function canMove(ctx: Ctx, { space }: ReadPoint, { body }: Entry): Promise<boolean> {
  const texts = body === null ? undefined : await bodiesOf(ctx, space, [body]);
  return extractLinks(texts?.get(body!) ?? "").length === 0;
}

/** The first page of all, when it has no file yet and none is the landing page. */
async function landingPage(ctx: Ctx, version: ReadPoint, { readme }: Settings): Promise<string | undefined> {
  if (posix.dirname(readme) !== "." || (await filesAmong(ctx, version, [readme])).size > 0) return undefined;
  const top = entriesOf(version, sql`e.kind = 'page' and e.parent is null`);
  const { rows } = await sql<Entry>`select * from (${top}) e order by e.position, e.id limit 1`.execute(
    ctx.db,
  );
  const first = rows[0];
  return first?.kind === "page" && first.props.type === "document" && first.git_path === null
    ? first.id
    : undefined;
}

async function parentsAmong(ctx: Ctx, version: ReadPoint, ids: string[]): Promise<Set<string>> {
  const children = entriesOf(version, sql`e.kind = 'page' and e.parent = any(${ids})`, sql`e.parent`);
  const { rows } = await sql<{ parent: string }>`select distinct parent from (${children}) e`.execute(ctx.db);
  return new Set(rows.map(({ parent }) => parent));
}

/** A path that git and every system takes; `.git` and steps out of a folder are no names. */
function safe(path: string, id: string): string {
  const parts = path.split("/").map((part) => {
    const name = nameAt(part);
    return /^\.git$/i.test(name) ? `${name.slice(1)}` : name;
  });
  const joined = parts.join("/");
  return Buffer.byteLength(joined.normalize("NFC")) > LONGEST || Buffer.byteLength(joined) > LONGEST
    ? posix.join(
        joined.startsWith(".gitbook/") ? parts.slice(0, 2).join("/") : "",
        id + posix.extname(joined).slice(0, 20),
      )
    : joined;
}
