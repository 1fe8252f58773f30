import { type RawBuilder, sql } from "kysely";
import {
  type Above,
  entriesAbove,
  type PageKey,
  type SectionHit,
  type SectionQueries,
  sectionsJson,
} from "../../search-index/page-parts.js";
import type { Ctx } from "../../trpc.js";
import { inForms } from "./forms.js";
import type { SeveralSpaces } from "./scope.js";
import type { PageQueries } from "./tsquery.js";

/** A page that was found. */
export interface FoundPage extends PageKey {
  tier: number;
  /** Of its space, where several are searched. */
  title: string | null;
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
  /** So many of the first pages of each space are returned, and all that are compared. */
  first: number;
}

/** Pages that a search finds at most: what comes behind the best of so many is not read by anyone. */
export const MOST_PAGES = 1_000;
/** So many of the first pages are compared by what they say. Those behind them keep the order of their tiers. */
const COMPARED_PAGES = 60;
/** Of so many pages all that is shown comes along; of more, most would not be. */
const FEW_PAGES = 30;

/**
 * The first pages that a search finds, in the order of their tiers, in one space unless others are given.
 *
 * One walk through the index finds few pages, and the tier of each is read from what it holds. Are there more, the tiers are
 * walked one after the other until enough is found, and their pages stay in the order of the walk. What pages match is
 * not ranked yet: the tier is enough.
 */
export async function findPages({ db }: Ctx, search: Search, several?: SeveralSpaces): Promise<FoundPage[]> {
  const few = search.many ? [] : await findFew(db, search, several);
  if (!search.many && few.length <= FEW_PAGES) return few;
  return findMany(db, manyOf(search), several);
}

type Tiered = Pick<Search, "tiers" | "phrases" | "sections" | "first">;

/**
 * Finds the best pages of tiers, as many as are compared by what they say: the tiers are walked one after the other
 * until so many are found. Costs less than to look for all of them.
 */
export const findBest = (
  { db }: Pick<Ctx, "db">,
  search: Tiered,
  several?: SeveralSpaces,
): Promise<FoundPage[]> => findCompared(db, manyOf(search), several);

const manyOf = ({ tiers, phrases, sections, first }: Tiered): Many => ({
  phrases,
  sections,
  first: Math.min(MOST_PAGES, first),
  tiers: tiers.map(({ tier }) => tier),
  queries: tiers.map(({ query }) => query),
  guards: tiers.map(({ guard = null }) => guard),
});

/*
 * The planner sees nothing of what is asked for, not even how many tiers there are: it would plan anew each time,
 * and guess wrong how much it finds. Nor may it know how few pages are enough: it takes any query for one that finds
 * every 200th page, and would read the table itself until it has found them. So limits stand outside of what is joined
 * with `offset 0`, and that is planned as if all of it were read.
 */

const findFew = inForms<Pick<Search, "any" | "within" | "phrases" | "sections">, FoundPage>(
  (arg, { pagesWith }) => sql`with asked as materialized (
      select ${arg("any")}::tsquery as pages, ${arg("within")}::tsquery[] as within,
        ${arg("phrases")}::tsquery[] as phrases, ${arg("sections")}::tsquery[] as sections),
    found as materialized (
      select p.space, p.page, p.title, case when p.terms @@ within[1] then 0 when p.terms @@ within[2] then 1
          when p.terms @@ within[3] then 2 when p.terms @@ within[4] then 3 else 4 end as tier
      from asked cross join lateral (${pagesWith(sql`asked.pages`)} offset 0) p
      limit ${sql.lit(FEW_PAGES + 1)}),
    placed as materialized (
      select *, row_number() over (order by tier, space collate "C", page collate "C") as place,
        (count(*) over ())::int as total from found)
    select tier, space, page, title, total,
      case when total <= ${sql.lit(FEW_PAGES)} then ${sectionsJson(sql`true`)} end as sections,
      case when place = 1 and total <= ${sql.lit(FEW_PAGES)} then (
        select json_agg(e) from (${entriesAbove(sql`placed t`)}) e) end as above
    from placed t cross join asked order by place`,
);

type Many = Pick<Search, "phrases" | "sections" | "first"> & {
  tiers: number[];
  queries: string[];
  guards: (string | null)[];
};

/** Whether any page is found, joined with another relation for the sake of the planner. */
const isAnyFound = (query: RawBuilder<unknown>) => sql`exists (
  select from asked cross join lateral (select from search_page where terms @@ ${query} offset 0) p)`;

/** The statement that walks tiers until it has found `most` pages. */
const inTiers = (most: number) =>
  inForms<Many, FoundPage>(
    (arg, { pagesWith, firstOf }) => sql`with asked as materialized (
      select ${arg("tiers")}::int[] as tiers, ${arg("queries")}::tsquery[] as queries,
        ${arg("guards")}::tsquery[] as guards, ${arg("phrases")}::tsquery[] as phrases,
        ${arg("sections")}::tsquery[] as sections),
    found as materialized (
      select q.tier, p.space, p.page, p.title
      from asked cross join lateral unnest(asked.tiers, asked.queries, asked.guards) as q (tier, query, guard)
      cross join lateral (
        ${pagesWith(sql`q.query`)} and (q.guard is null or ${isAnyFound(sql`q.guard`)}) offset 0) p
      limit ${sql.lit(most)}),
    placed as materialized (
      select *, (select count(*)::int from found) as total
      from ${firstOf(arg("first"), COMPARED_PAGES)} placed)
    select tier, space, page, title, total,
      case when place <= ${sql.lit(COMPARED_PAGES)} then ${sectionsJson(sql`false`)} end as sections, null as above
    from placed t cross join asked order by place`,
  );

const findMany = inTiers(MOST_PAGES);
const findCompared = inTiers(COMPARED_PAGES);
