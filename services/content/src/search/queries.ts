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
  /** Best first; each is run only if those before it did not find enough. */
  tiers: string[];
  /** Each has to be in one section. */
  phrases: string[];
  /** The condition on `space` that holds for those that the caller may read, unless it is clear already. */
  readable?: RawBuilder<boolean>;
  limit: number;
}

/** The first pages that queries find. What they match is not ranked: which query it was tells enough. */
export async function findPages({ db }: Ctx, { tiers, phrases, readable, limit }: Search): Promise<Found[]> {
  const joined = readable
    ? sql`join space on space.id = p.space and space.deleted_at is null and ${readable}`
    : sql``;
  const exact =
    phrases.length === 0
      ? sql``
      : sql`and not exists (select 1 from unnest(${phrases}::text[]) as phrase where not exists (
          select 1 from search_section s
          where s.space = p.space and s.page = p.page and s.terms @@ phrase::tsquery))`;
  const found = tiers.map(
    (tier, index) => sql`(select ${sql.lit(index)} as tier, p.space, p.page from search_page p ${joined}
      where p.terms @@ ${hidden(tier)} ${exact})`,
  );
  const { rows } = await sql<Found>`select tier, space, array_agg(page order by page) as pages
    from (${sql.join(found, sql` union all `)} limit ${limit}) found
    group by tier, space order by tier, space`.execute(db);
  return rows;
}

/** A query that the planner does not look into: it would guess how much it finds, plan anew each time, and be wrong. */
const hidden = (tsquery: string) => sql`(select ${tsquery}::tsquery)`;

/** A section that holds some of the terms. */
export interface SectionHit extends PageKey {
  ordinal: number;
  anchor: string | null;
  rank: number;
  /** Letters of the title, in the section that is the page itself. */
  length: number | null;
  /** Which of the terms it holds. */
  holds: boolean[];
  /** Whether it holds the whole query as a phrase. */
  whole: boolean;
}

interface SectionSearch {
  any: string;
  terms: string[];
  whole: string | undefined;
  /** Sections a page, the best ones. */
  most: number;
}

/** How much a word weighs: in texts, -, in headings, in the titles of pages. */
const WEIGHTS = "{0.1, 0.2, 0.6, 1.0}";

/** The sections of pages that hold any of the terms, best first. */
export async function findSections(
  { db }: Ctx,
  pages: PageKey[],
  { any, terms, whole, most }: SectionSearch,
): Promise<SectionHit[]> {
  if (pages.length === 0) return [];
  const holds = terms.map((term) => sql`s.terms @@ ${hidden(term)}`);
  const { rows } =
    await sql<SectionHit>`select space, page, ordinal, anchor, rank, length, holds, whole from (
      select *, row_number() over (partition by space, page order by rank desc, ordinal) as place from (
        select s.space, s.page, s.ordinal, s.anchor,
          case when s.ordinal = 0 then length(s.title) end as length, ts_rank(${WEIGHTS}::real[], s.terms, ${hidden(any)}) as rank,
          array[${sql.join(holds)}] as holds, ${whole === undefined ? sql`false` : sql`s.terms @@ ${hidden(whole)}`} as whole
        from ${these(pages)} join search_section s on s.space = t.space and s.page = t.page
        where s.terms @@ ${hidden(any)} offset 0) ranked) placed
    where place <= ${most} order by space, page, place`.execute(db);
  return rows;
}

const these = (pages: PageKey[]) =>
  sql`unnest(${pages.map(({ space }) => space)}::text[], ${pages.map(({ page }) => page)}::text[]) as t (space, page)`;

export interface SectionText extends PageKey {
  ordinal: number;
  title: string;
  body: string;
}

/** What is written in sections. */
export async function textsOf(
  { db }: Ctx,
  sections: (PageKey & { ordinal: number })[],
): Promise<SectionText[]> {
  if (sections.length === 0) return [];
  const ordinals = sections.map(({ ordinal }) => ordinal);
  const { rows } = await sql<SectionText>`select s.space, s.page, s.ordinal, s.title, s.body
    from unnest(${sections.map(({ space }) => space)}::text[], ${sections.map(({ page }) => page)}::text[],
      ${ordinals}::int[]) as t (space, page, ordinal)
    join search_section s on s.space = t.space and s.page = t.page and s.ordinal = t.ordinal`.execute(db);
  return rows;
}

/** What a result shows of a page and of the pages above it; the page first. */
export interface LineEntry {
  id: string;
  title: string;
  slug: string | null;
}

/** Pages of any spaces and what is above each of them, by their keys, in one query. */
export async function linesAcross({ db }: Ctx, pages: PageKey[]): Promise<Map<string, LineEntry[]>> {
  if (pages.length === 0) return new Map();
  const entry = (
    space: RawBuilder<unknown>,
    id: RawBuilder<unknown>,
  ) => sql`select e.id, e.title, e.slug, e.parent
    from entry e where e.branch = ${space} and e.id = ${id} and e.to_seq is null and not e.removed offset 0`;
  const { rows } = await sql<LineEntry & PageKey>`with recursive line as (
      select t.space, t.page, e.*, 0 as depth
      from ${these(pages)} join lateral (${entry(sql`t.space`, sql`t.page`)}) e on true
      union all
      select line.space, line.page, e.*, line.depth + 1
      from line join lateral (${entry(sql`line.space`, sql`line.parent`)}) e on line.depth < ${MAX_DEPTH})
    select space, page, id, title, slug from line order by space, page, depth`.execute(db);
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
