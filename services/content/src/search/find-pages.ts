import { type Argument, prepare } from "@octavo/shared/database/prepare";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../trpc.js";
import {
  type Above,
  entriesAbove,
  type PageKey,
  type SectionHit,
  type SectionQueries,
  sectionsJson,
} from "./page-parts.js";
import type { PageQueries } from "./tsquery.js";

/** A page that was found. */
export interface FoundPage extends PageKey {
  tier: number;
  /** How many were found in all, up to a bound. */
  total: number;
  /** Those of the first pages, which are compared by them. */
  sections: SectionHit[] | null;
  /** Of the first page: what is above all pages, where they are few. */
  above: Above[] | null;
}

export interface Search extends PageQueries {
  /** Each has to be in one section. */
  phrases: string[];
  /** What the sections are compared by. */
  sections: SectionQueries;
  /** Whether many pages will be found, as far as is known. */
  many: boolean;
  /** So many of the first pages are answered, and no fewer than are compared. */
  first: number;
}

/** Pages that a search finds at most: what comes behind the best of so many is not read by anyone. */
export const MOST_PAGES = 1_000;
/** So many of the first pages are compared by what they say. Those behind them keep the order of their tiers. */
const COMPARED_PAGES = 60;
/** Of so many pages all that is shown comes along; of more, most would not be. */
const FEW_PAGES = 12;

/**
 * The first pages that a search finds, in the order of their tiers; `readable` is the condition on `space` that holds
 * for those that the caller may read, unless it is clear already.
 *
 * One walk through the index finds all pages. Are they few, each is told its tier by what it holds. Are they many, the
 * tiers are walked one after the other until enough is found. What pages match is not ranked yet: which tier it was
 * tells enough.
 */
export async function findPages(
  { db }: Ctx,
  search: Search,
  readable?: RawBuilder<boolean>,
): Promise<FoundPage[]> {
  const { any, within, tiers, phrases, sections, many, first } = search;
  const values: Values = {
    ...{ any, within, phrases, sections, many },
    first: Math.min(MOST_PAGES, Math.max(COMPARED_PAGES, first)),
    tiers: tiers.map(({ tier }) => tier),
    queries: tiers.map(({ query }) => query),
  };
  if (readable) {
    const query = foundPages((name) => sql`${values[name]}`, true, readable);
    return (await query.execute(db)).rows;
  }
  return phrases.length === 0 ? findPlain(db, values) : findExact(db, values);
}

interface Values extends Omit<Search, "tiers"> {
  tiers: number[];
  queries: string[];
}

const findPlain = prepare<Values, FoundPage>((arg) => foundPages(arg, false));
const findExact = prepare<Values, FoundPage>((arg) => foundPages(arg, true));

/** Nothing of what is asked for is told to the planner: it would plan anew each time, and guess wrong how much it finds. */
function foundPages(
  arg: Argument<Values>,
  exact: boolean,
  readable?: RawBuilder<boolean>,
): RawBuilder<FoundPage> {
  const pages = (query: RawBuilder<unknown>) => sql`search_page p
    ${readable ? sql`join space on space.id = p.space and space.deleted_at is null and ${readable}` : sql``}
    where p.terms @@ ${query} ${exact ? holdsPhrases : sql``}`;
  const within = (tier: number) => sql`p.terms @@ (select within[${sql.lit(tier + 1)}]::tsquery from asked)`;
  const few = sql`(select count(*) from few) <= ${sql.lit(FEW_PAGES)}`;
  return sql<FoundPage>`with asked as materialized (
      select ${arg("any")}::tsquery as pages, ${arg("within")}::text[] as within, ${arg("phrases")}::text[] as phrases,
        ${arg("tiers")}::int[] as tiers, ${arg("queries")}::text[] as queries,
        ${arg("sections")}::text[] as sections, ${arg("many")}::boolean as many, ${arg("first")}::int as first),
    few as materialized (
      select p.space, p.page, p.terms from ${pages(sql`(select pages from asked)`)} and (select not many from asked)
      limit ${sql.lit(FEW_PAGES + 1)}),
    many as materialized (
      select q.tier, p.space, p.page from unnest((select tiers from asked), (select queries from asked)) as q (tier, query)
      cross join lateral (select p.space, p.page from ${pages(sql`q.query::tsquery`)} offset 0) p
      where (select many from asked) or not ${few}
      limit ${sql.lit(MOST_PAGES)}),
    found as materialized (
      select case when ${within(0)} then 0 when ${within(1)} then 1 when ${within(2)} then 2 when ${within(3)} then 3
          else 4 end as tier, p.space, p.page from few p where ${few}
      union all select tier, space, page from many),
    total as materialized (select count(*)::int as total from found),
    placed as materialized (
      select *, row_number() over () as place from (
        select * from found order by tier, space collate "C", page collate "C" limit (select first from asked)) found)
    select tier, space, page, total,
      case when place <= ${sql.lit(COMPARED_PAGES)} then ${sectionsJson(sql`total <= ${sql.lit(FEW_PAGES)}`)} end as sections,
      case when place = 1 and total <= ${sql.lit(FEW_PAGES)} then (
        select json_agg(e) from (${entriesAbove(sql`placed t`)}) e) end as above
    from placed t, total order by place`;
}

const holdsPhrases = sql`and not exists (select 1 from unnest((select phrases from asked)) as phrase where not exists (
  select 1 from search_section s where s.space = p.space and s.page = p.page and s.terms @@ phrase::tsquery))`;
