import { type Argument, prepare } from "@octavo/shared/database/prepare";
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
  /** So many of the first pages are returned, and no fewer than are compared. */
  first: number;
}

/** The spaces that pages may be in: those of an organization that satisfy a condition on `space`. */
export interface Readable {
  organization: string;
  condition: RawBuilder<boolean>;
  /** Those of which a revision is searched instead of the primary content. */
  editions?: ReadonlyMap<string, string>;
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
export async function findPages({ db }: Ctx, search: Search, readable?: Readable): Promise<FoundPage[]> {
  const few = search.many ? [] : await findFew(db, search, readable);
  if (!search.many && few.length <= FEW_PAGES) return few;
  return findMany(db, manyOf(search), readable);
}

type Tiered = Pick<Search, "tiers" | "phrases" | "sections" | "first">;

/**
 * Finds the best pages of tiers, as many as are compared by what they say: the tiers are walked one after the other
 * until so many are found. Costs less than to look for all of them.
 */
export const findBest = (
  { db }: Pick<Ctx, "db">,
  search: Tiered,
  readable?: Readable,
): Promise<FoundPage[]> => findCompared(db, manyOf(search), readable);

const manyOf = ({ tiers, phrases, sections, first }: Tiered): Many => ({
  phrases,
  sections,
  first: Math.min(MOST_PAGES, Math.max(COMPARED_PAGES, first)),
  tiers: tiers.map(({ tier }) => tier),
  queries: tiers.map(({ query }) => query),
  guards: tiers.map(({ guard = null }) => guard),
});

/** Pages under the name `p` that hold what a query asks for. */
type PagesWith = (query: RawBuilder<unknown>) => RawBuilder<unknown>;

/*
 * The planner sees nothing of what is asked for, not even how many tiers there are: it would plan anew each time,
 * and guess wrong how much it finds. Nor may it know how few pages are enough: it takes any query for one that finds
 * every 200th page, and would read the table itself until it has found them. So limits stand outside of what is joined
 * with `offset 0`, and that is planned as if all of it were read.
 */

const findFew = inForms<Pick<Search, "any" | "within" | "phrases" | "sections">>(
  (arg, pagesWith) => sql`with asked as materialized (
      select ${arg("any")}::tsquery as pages, ${arg("within")}::tsquery[] as within,
        ${arg("phrases")}::tsquery[] as phrases, ${arg("sections")}::tsquery[] as sections),
    found as materialized (
      select p.space, p.page, case when p.terms @@ within[1] then 0 when p.terms @@ within[2] then 1
          when p.terms @@ within[3] then 2 when p.terms @@ within[4] then 3 else 4 end as tier
      from asked cross join lateral (
        select p.space, p.page, p.terms from ${pagesWith(sql`asked.pages`)} offset 0) p
      limit ${sql.lit(FEW_PAGES + 1)}),
    placed as materialized (
      select *, row_number() over (order by tier, space collate "C", page collate "C") as place,
        (count(*) over ())::int as total from found)
    select tier, space, page, total,
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
  inForms<Many>(
    (arg, pagesWith) => sql`with asked as materialized (
      select ${arg("tiers")}::int[] as tiers, ${arg("queries")}::tsquery[] as queries,
        ${arg("guards")}::tsquery[] as guards, ${arg("phrases")}::tsquery[] as phrases,
        ${arg("sections")}::tsquery[] as sections),
    found as materialized (
      select q.tier, p.space, p.page
      from asked cross join lateral unnest(asked.tiers, asked.queries, asked.guards) as q (tier, query, guard)
      cross join lateral (
        select p.space, p.page from ${pagesWith(sql`q.query`)}
          and (q.guard is null or ${isAnyFound(sql`q.guard`)}) offset 0) p
      limit ${sql.lit(most)}),
    placed as materialized (
      select *, row_number() over () as place, (select count(*)::int from found) as total
      from (select * from found limit ${arg("first")}) found)
    select tier, space, page, total,
      case when place <= ${sql.lit(COMPARED_PAGES)} then ${sectionsJson(sql`false`)} end as sections, null as above
    from placed t cross join asked order by place`,
  );

const findMany = inTiers(MOST_PAGES);
const findCompared = inTiers(COMPARED_PAGES);

/** A statement that is prepared for one space, without phrases and with them, and made anew for spaces on a condition. */
function inForms<Values extends { phrases: string[] }>(
  build: (arg: Argument<Values>, pagesWith: PagesWith) => RawBuilder<FoundPage>,
) {
  const pagesWith =
    (joins: RawBuilder<unknown>, where: RawBuilder<unknown>): PagesWith =>
    (query) =>
      sql`search_page p ${joins} where p.terms @@ ${query} ${where}`;
  const plain = prepare<Values, FoundPage>((arg) => build(arg, pagesWith(sql``, sql``)));
  const exact = prepare<Values, FoundPage>((arg) => build(arg, pagesWith(sql``, holdsPhrases)));
  return async (db: Ctx["db"], values: Values, readable?: Readable): Promise<FoundPage[]> => {
    if (!readable) return values.phrases.length === 0 ? plain(db, values) : exact(db, values);
    const { organization, condition, editions } = readable;
    const joins = sql`join space on space.id = p.space and space.deleted_at is null and ${condition}`;
    // Pages of editions are found by the terms of these alone, so no other edition has to be kept out.
    const pinned = editions && editions.size > 0 ? isEditionOrNotOf([...editions.keys()]) : sql``;
    const where = sql`${pinned} and p.organization = (select ${organization}::text) ${values.phrases.length === 0 ? sql`` : holdsPhrases}`;
    const query = build((name) => sql`${values[name]}`, pagesWith(joins, where));
    return (await query.execute(db)).rows;
  };
}

const isEditionOrNotOf = (spaces: string[]) =>
  sql`and (strpos(p.page, '@') > 0 or p.space <> all(${spaces}::text[]))`;

const holdsPhrases = sql`and not exists (select 1 from unnest(asked.phrases) as phrase where not exists (
  select 1 from search_section s where s.space = p.space and s.page = p.page and s.terms @@ phrase))`;
