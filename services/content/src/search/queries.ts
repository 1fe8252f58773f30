import { type Argument, prepare } from "@octavo/shared/database/prepare";
import { type RawBuilder, sql } from "kysely";
import { MAX_DEPTH } from "../store/entries.js";
import type { Ctx } from "../trpc.js";

/** A page of a space. The same id may be in several: a copy of a space keeps the ids of its pages. */
export interface PageKey {
  space: string;
  page: string;
}

export const keyOf = ({ space, page }: PageKey) => `${space}/${page}`;

/** Pages of one space that one of the queries found; `tier` is its number. */
export interface Found {
  tier: number;
  space: string;
  pages: string[];
}

interface Search {
  /** Best first; each is run only if those before it did not find enough. What is null finds nothing. */
  tiers: Tiers;
  /** Each has to be in one section. */
  phrases: string[];
  /** The condition on `space` that holds for those that the caller may read, unless it is clear already. */
  readable?: RawBuilder<boolean>;
}

export type Tiers = [string, string, string, string | null, string];

/** Pages that a search finds at most: what comes behind the best of so many is not read by anyone. */
const MOST_PAGES = 1_000;

/** The first pages that queries find. What they match is not ranked: which query it was tells enough. */
export async function findPages({ db }: Ctx, { tiers, phrases, readable }: Search): Promise<Found[]> {
  if (readable) {
    const { rows } = await sql<Found>`${pagesOf(sql`${tiers}`, sql`${phrases}`, readable)}`.execute(db);
    return rows;
  }
  return phrases.length === 0 ? findPlain(db, { tiers }) : findExact(db, { tiers, phrases });
}

const findPlain = prepare<{ tiers: Tiers }, Found>((arg) => pagesOf(arg("tiers")));
const findExact = prepare<{ tiers: Tiers; phrases: string[] }, Found>((arg) =>
  pagesOf(arg("tiers"), arg("phrases")),
);

function pagesOf(
  tiers: RawBuilder<unknown>,
  phrases?: RawBuilder<unknown>,
  readable?: RawBuilder<boolean>,
): RawBuilder<Found> {
  const joined = readable
    ? sql`join space on space.id = p.space and space.deleted_at is null and ${readable}`
    : sql``;
  const exact = phrases
    ? sql`and not exists (select 1 from unnest(${phrases}::text[]) as phrase where not exists (
        select 1 from search_section s where s.space = p.space and s.page = p.page and s.terms @@ phrase::tsquery))`
    : sql``;
  const found = [0, 1, 2, 3, 4].map(
    (tier) => sql`(select ${sql.lit(tier)} as tier, p.space, p.page from search_page p ${joined}
      where p.terms @@ ${tsqueryAt(tiers, tier)} ${exact})`,
  );
  return sql<Found>`select tier, space, array_agg(page order by page) as pages
    from (${sql.join(found, sql` union all `)} limit ${sql.lit(MOST_PAGES)}) found
    group by tier, space order by tier, space`;
}

/** A query that the planner does not look into: it would guess how much it finds, plan anew each time, and be wrong. */
const tsqueryAt = (list: RawBuilder<unknown>, at: number) =>
  sql`(select (${list}::text[])[${sql.lit(at + 1)}]::tsquery)`;

/** A section that holds some of the terms. */
export interface SectionHit extends PageKey {
  ordinal: number;
  anchor: string | null;
  title: string;
  /** Left out where there would be many. */
  body: string | null;
  rank: number;
  /** Which of the first terms it holds. */
  holds: (boolean | null)[];
  /** Whether it holds the whole query as a phrase. */
  whole: boolean;
}

interface SectionSearch {
  any: string;
  terms: string[];
  whole?: string;
}

/** How much a word weighs: in texts, -, in headings, in the titles of pages. */
const WEIGHTS = "{0.1, 0.2, 0.6, 1.0}";
/** Sections a page, the best ones. */
const SECTIONS = 20;
/** Terms that sections are compared by. */
const COMPARED = 6;
/** Of so many pages the texts come along; of more, most would not be shown. */
const FEW_PAGES = 12;

/** The sections of pages that hold any of the terms, best first. */
export async function findSections(
  { db }: Ctx,
  pages: PageKey[],
  { any, terms, whole }: SectionSearch,
): Promise<SectionHit[]> {
  if (pages.length === 0) return [];
  const queries = [any, whole ?? null, ...terms.slice(0, COMPARED)];
  return sectionsOf(db, { ...keysOf(pages), queries, texts: pages.length <= FEW_PAGES });
}

interface Keys {
  spaces: string[];
  pages: string[];
}

const keysOf = (keys: PageKey[]): Keys => ({
  spaces: keys.map(({ space }) => space),
  pages: keys.map(({ page }) => page),
});

const these = (arg: Argument<Keys>) =>
  sql`unnest(${arg("spaces")}::text[], ${arg("pages")}::text[]) as t (space, page)`;

const sectionsOf = prepare<Keys & { queries: (string | null)[]; texts: boolean }, SectionHit>((arg) => {
  const query = (at: number) => tsqueryAt(arg("queries"), at);
  const holds = Array.from({ length: COMPARED }, (_, at) => sql`s.terms @@ ${query(at + 2)}`);
  return sql`select space, page, ordinal, anchor, title, body, rank, holds, whole from (
      select *, row_number() over (partition by space, page order by rank desc, ordinal) as place from (
        select s.space, s.page, s.ordinal, s.anchor, s.title, case when ${arg("texts")} then s.body end as body,
          ts_rank(${sql.lit(WEIGHTS)}::real[], s.terms, ${query(0)}) as rank, array[${sql.join(holds)}] as holds,
          coalesce(s.terms @@ ${query(1)}, false) as whole
        from ${these(arg as unknown as Argument<Keys>)}
        join search_section s on s.space = t.space and s.page = t.page
        where s.terms @@ ${query(0)} offset 0) ranked) placed
    where place <= ${sql.lit(SECTIONS)} order by space, page, place`;
});

/** What is written in a section. */
export interface SectionText extends PageKey {
  ordinal: number;
  body: string;
}

export async function textsOf(
  { db }: Ctx,
  sections: (PageKey & { ordinal: number })[],
): Promise<SectionText[]> {
  if (sections.length === 0) return [];
  return bodiesAt(db, { ...keysOf(sections), ordinals: sections.map(({ ordinal }) => ordinal) });
}

const bodiesAt = prepare<Keys & { ordinals: number[] }, SectionText>(
  (arg) => sql`select s.space, s.page, s.ordinal, s.body
    from unnest(${arg("spaces")}::text[], ${arg("pages")}::text[], ${arg("ordinals")}::int[]) as t (space, page, ordinal)
    join search_section s on s.space = t.space and s.page = t.page and s.ordinal = t.ordinal`,
);

/** What a result shows of a page and of the pages above it; the page first. */
export interface LineEntry {
  id: string;
  title: string;
  slug: string | null;
}

const linesAt = prepare<Keys, LineEntry & PageKey>((arg) => {
  const entry = (space: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
    sql`select e.id, e.title, e.slug, e.parent from entry e
      where e.branch = ${space} and e.id = ${id} and e.to_seq is null and not e.removed offset 0`;
  return sql`with recursive line as (
      select t.space, t.page, e.*, 0 as depth
      from ${these(arg)} join lateral (${entry(sql`t.space`, sql`t.page`)}) e on true
      union all
      select line.space, line.page, e.*, line.depth + 1
      from line join lateral (${entry(sql`line.space`, sql`line.parent`)}) e on line.depth < ${sql.lit(MAX_DEPTH)})
    select space, page, id, title, slug from line order by space, page, depth`;
});

/** Pages of any spaces and what is above each of them, by their keys, in one query. */
export async function linesAcross({ db }: Ctx, pages: PageKey[]): Promise<Map<string, LineEntry[]>> {
  const rows = pages.length === 0 ? [] : await linesAt(db, keysOf(pages));
  const lines = new Map<string, LineEntry[]>();
  for (const { space, page, ...line } of rows) {
    const key = keyOf({ space, page });
    const known = lines.get(key);
    if (known) known.push(line);
    else lines.set(key, [line]);
  }
  return lines;
}

/** The spaces of an organization that satisfy a condition, by their ids. */
export async function readableSpaces(
  ctx: Ctx,
  organization: string,
  condition: RawBuilder<boolean>,
): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom("space")
    .select("id")
    .where("organization", "=", organization)
    .where("deleted_at", "is", null)
    .where(condition)
    .orderBy("position")
    .orderBy("id")
    .limit(MOST_SPACES)
    .execute();
  return rows.map(({ id }) => id);
}

/** Spaces whose words correct a mistake, at most. */
const MOST_SPACES = 200;

export async function titlesOf({ db }: Ctx, spaces: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("space")
    .select(["id", "title"])
    .where("id", "=", sql<string>`any(${spaces})`)
    .execute();
  return new Map(rows.map(({ id, title }) => [id, title]));
}
