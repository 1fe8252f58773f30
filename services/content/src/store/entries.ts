import { arrayOf } from "@octavo/shared/database/any-of";
import type { Argument } from "@octavo/shared/database/prepare";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../trpc.js";
import { prepareAt } from "./prepare-at.js";
import {
  type Entry,
  type EntryOf,
  entriesOf,
  type PageEntry,
  type ReadAt,
  type ReadPoint,
  sidesOf,
  UNION,
} from "./version.js";

/** Deeper nesting than this is not followed: it ends a walk that merges of the future might have turned in a circle. */
export const MAX_DEPTH = 64;
/** Most levels of pages: far fewer than walks follow, so that each of them sees all there is. */
export const MAX_NESTING = 32;

/** The entries with the given ids; what the version does not hold is left out. */
export async function entriesById(ctx: Ctx, version: ReadAt, ids: string[]): Promise<Map<string, Entry>> {
  if (ids.length === 0) return new Map();
  const query = sql<Entry>`${entriesOf(version, sql`e.id = any(${arrayOf(ids)})`)}`;
  const { rows } = await query.execute(ctx.db);
  return new Map(rows.map((entry) => [entry.id, entry]));
}

export async function entryById(ctx: Ctx, version: ReadAt, id: string): Promise<Entry | undefined> {
  return (await entriesById(ctx, version, [id])).get(id);
}

/** The entries that came from these paths of a repository; several may have come from one. */
export async function entriesAtGitPaths(ctx: Ctx, version: ReadAt, paths: string[]): Promise<Entry[]> {
  const entries = entriesOf(version, sql`e.git_path = any(${paths})`);
  const { rows } = await sql<Entry>`${entries}`.execute(ctx.db);
  return rows;
}

/** All entries of one kind, pages in the order of their siblings. */
export const entriesOfKind = <Kind extends Entry["kind"]>(ctx: Ctx, version: ReadAt, kind: Kind) =>
  entriesOfKinds(ctx, version, [kind]);

/** All entries of some kinds, pages in the order of their siblings. */
export async function entriesOfKinds<Kind extends Entry["kind"]>(
  ctx: Ctx,
  version: ReadAt,
  kinds: Kind[],
): Promise<EntryOf<Kind>[]> {
  const of = kinds.length === 1 ? sql`e.kind = ${kinds[0]}` : sql`e.kind = any(${kinds})`;
  const entries = entriesOf(version, of);
  const { rows } = await sql<EntryOf<Kind>>`select * from (${entries}) e order by e.position, e.id`.execute(
    ctx.db,
  );
  return rows;
}

/** The pages below a page, at any depth, in the order of their siblings; the page itself is not among them. */
export async function pagesBelow(ctx: Ctx, version: ReadAt, page: string): Promise<PageEntry[]> {
  const { rows } = await sql<PageEntry>`with recursive ${descendants(version, page)}
    select * from below e order by e.position, e.id`.execute(ctx.db);
  return rows;
}

/** The pages below several pages, at any depth and in no order; those below two of them come twice. */
export async function pagesBelowEach(ctx: Ctx, version: ReadAt, pages: string[]): Promise<PageEntry[]> {
  if (pages.length === 0) return [];
  const { rows } = await sql<PageEntry>`select below.* from unnest(${pages}::text[]) as above (id)
    cross join lateral (with recursive ${descendants(version, sql.ref("above.id"))} select * from below) below`.execute(
    ctx.db,
  );
  return rows;
}

/** Entries that are looked up step by step: without the fence the planner may turn each step into a scan of the branch. */
const fenced = (version: ReadAt, where: RawBuilder<unknown>, columns?: RawBuilder<unknown>) =>
  sql`select * from (${entriesOf(version, where, columns)}) e offset 0`;

/**
 * A recursive table `below`: the pages under a page, at any depth. Each level is one look-up with all pages of the one
 * above: for one page after the other, the planner reads the whole branch each time when a single page has most children.
 */
export const descendants = (version: ReadAt, page: string | RawBuilder<string>) => {
  const children = sql`e.kind = 'page' and e.parent = any(level.parents)`;
  return sql`level as (
    select array[${page}]::text[] as parents, 0 as depth
    union all
    select (select array_agg(e.id) from (${entriesOf(version, children, sql`e.id`)}) e), level.depth + 1
    from level where level.parents is not null and level.depth < ${MAX_DEPTH}),
  below as (select e.* from level join lateral (${fenced(version, children)}) e on true)`;
};

/** A recursive table `line`: a page (depth 0) and the pages above it. */
export const ancestors = (version: ReadAt, page: string | RawBuilder<string>) => sql`line as (
  select e.*, 0 as depth from (${entriesOf(version, sql`e.id = ${page}`)}) e
  union all
  select e.*, line.depth + 1 from line
  join lateral (${fenced(version, sql`e.id = line.parent`)}) e on line.depth < ${MAX_DEPTH})`;

/** A recursive table `line`: the pages from the one at a path of slugs (depth 0) up to the top; it ends at a slug that is not there. */
export const ancestorsAtPath = (version: ReadAt, slugs: string[] | RawBuilder<string[]>) => {
  const path = sql`(${slugs}::text[])`;
  const first = sql`e.kind = 'page' and e.parent is null and e.slug = ${path}[1]`;
  const child = sql`e.kind = 'page' and e.parent = line.id and e.slug = ${path}[line.step + 2]`;
  return sql`line as (
    select e.*, 0 as step, cardinality(${path}) - 1 as depth from (${entriesOf(version, first)}) e
    union all
    select e.*, line.step + 1, line.depth - 1 from line
    join lateral (${fenced(version, child)}) e on line.depth > 0)`;
};

/** The page itself and the pages above it, innermost first. */
export async function ancestorsOf(ctx: Ctx, version: ReadAt, page: string): Promise<PageEntry[]> {
  const { rows } = await sql<PageEntry>`with recursive ${ancestors(version, page)}
    select * from line order by depth`.execute(ctx.db);
  return rows;
}

/** The entries with the given ids and all pages above them. */
export async function withAncestors(ctx: Ctx, version: ReadAt, ids: string[]): Promise<Map<string, Entry>> {
  const known = new Map<string, Entry>();
  for (let level = ids; level.length > 0; ) {
    const entries = await entriesById(ctx, version, level);
    for (const entry of entries.values()) known.set(entry.id, entry);
    level = [...entries.values()].flatMap(({ parent }) => (parent && !known.has(parent) ? [parent] : []));
  }
  return known;
}

/** What is shown of a page where it is named. */
export type AncestorEntry = Pick<PageEntry, "id" | "title" | "slug" | "props" | "created_at" | "updated_at">;

/** Each of the pages with those above it, innermost first, in one query; what the version does not hold is left out. */
export async function pathsOf(
  ctx: Ctx,
  version: ReadAt,
  pages: string[],
): Promise<Map<string, AncestorEntry[]>> {
  if (pages.length === 0) return new Map();
  const columns = sql`e.id, e.title, e.slug, e.props, e.created_at, e.updated_at, e.parent`;
  const first = entriesOf(version, sql`e.kind = 'page' and e.id = any(${pages})`, columns);
  const { rows } = await sql<AncestorEntry & { page: string }>`with recursive line as (
      select e.id as page, e.*, 0 as depth from (${first}) e
      union all
      select line.page, e.*, line.depth + 1 from line
      join lateral (${fenced(version, sql`e.id = line.parent`, columns)}) e on line.depth < ${MAX_DEPTH})
    select page, id, title, slug, props, created_at, updated_at from line order by page, depth`.execute(
    ctx.db,
  );
  const lines = new Map<string, AncestorEntry[]>();
  for (const { page, ...entry } of rows) {
    const line = lines.get(page);
    if (line) line.push(entry);
    else lines.set(page, [entry]);
  }
  return lines;
}

/** The path of a page, from its line; a link has no slug of its own and shows where it stands. */
export const pathOf = (line: Pick<AncestorEntry, "slug">[]): string =>
  line
    .flatMap(({ slug }) => slug ?? [])
    .reverse()
    .join("/");

/** The page that stands right before each of some pages, by their ids; a first one has none. */
export async function pagesBefore(ctx: Ctx, version: ReadAt, pages: Entry[]): Promise<Map<string, string>> {
  if (pages.length === 0) return new Map();
  const beside = sql`e.kind = 'page' and e.id <> p.id and (e.position, e.id) < (p.position collate "C", p.id)
    and (e.parent = p.parent or (e.parent is null and p.parent is null))`;
  const { rows } = await sql<{ id: string; before: string }>`select p.id, b.id as before
    from jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) as p (id text, parent text, position text)
    join lateral (select e.id from (${entriesOf(version, beside, sql`e.id, e.position`)}) e
      order by e.position desc, e.id desc limit 1) b on true`.execute(ctx.db);
  return new Map(rows.map(({ id, before }) => [id, before]));
}

export type Sibling = Pick<Entry, "id" | "position" | "slug">;

// `is not distinct from` finds the same through no index.
const under = (parent: string | RawBuilder<string> | null) =>
  sql`e.kind = 'page' and ${parent === null ? sql`e.parent is null` : sql`e.parent = ${parent}`}`;

/** The pages beside each other under a parent (null: at the top), in order. */
export async function siblingsUnder(ctx: Ctx, version: ReadAt, parent: string | null): Promise<Sibling[]> {
  const entries = entriesOf(version, under(parent));
  const { rows } = await sql<Sibling>`
    select e.id, e.position, e.slug from (${entries}) e order by e.position, e.id`.execute(ctx.db);
  return rows;
}

/**
 * Of the pages under a parent, in no order, what one that comes to their end has to know, but for those that are left out: the
 * last one, of a change request's own and of its base, and those that have its slug, or that with a number.
 */
export async function siblingsAtEnd(
  ctx: Ctx,
  version: ReadPoint,
  parent: string | null,
  { slug, without }: { slug: string; without: string[] },
): Promise<Sibling[]> {
  const look = parent === null ? atEndOfTop : atEndBelow;
  const rows = await look(ctx, version, { parent: parent ?? "", slug, numbered: `${slug}-`, without });
  return [...new Map(rows.map((sibling) => [sibling.id, sibling])).values()];
}

interface AtEnd {
  parent: string;
  slug: string;
  numbered: string;
  without: string[];
}

const atEnd = (below: (arg: Argument<AtEnd>) => RawBuilder<unknown>) =>
  prepareAt<AtEnd, Sibling>((at, arg) => {
    const columns = sql`e.id, e.position, e.slug`;
    const kept = sql`${below(arg)} and e.id <> all(${arg("without")}::text[])`;
    // By the parent as well, for the planner takes no condition of null for an order.
    const last = sidesOf(at, kept, columns).map(
      (side) => sql`(${side} order by e.parent desc, e.position desc, e.id desc limit 1)`,
    );
    const like = sql`${kept} and (e.slug = ${arg("slug")} or starts_with(e.slug, ${arg("numbered")}))`;
    return sql<Sibling>`${sql.join([...last, entriesOf(at, like, columns)], UNION)}`;
  });
const atEndOfTop = atEnd(() => under(null));
const atEndBelow = atEnd((arg) => under(arg("parent")));
