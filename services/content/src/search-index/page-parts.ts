import { type RawBuilder, sql } from "kysely";
import { MAX_DEPTH } from "../store/entries.js";

/** A page of a space. The same id may be in several: a copy of a space keeps the ids of its pages. */
export interface PageKey {
  space: string;
  page: string;
}

export const keyOf = ({ space, page }: PageKey) => `${space}/${page}`;

/** A section of a page that holds some of the terms. */
export interface SectionHit {
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

/** What sections are looked for by, as tsqueries: any of the terms, the whole query as a phrase, and each term. */
export type SectionQueries = [string, string | null, ...string[]];

/** What a result shows of a page, and of the pages and groups above it. */
export interface Above {
  space: string;
  id: string;
  parent: string | null;
  title: string;
  slug: string | null;
}

/** How much a word weighs: in texts, -, in headings, in the titles of pages. */
const WEIGHTS = "{0.1, 0.2, 0.6, 1.0}";
/** Sections a page, the best ones. */
const SECTIONS = 20;
/** Terms that sections are compared by. */
export const COMPARED = 6;

/** What is asked for of sections, in an order that is known: by any of the terms, as a whole, by each term. */
const [ANY, WHOLE, ...TERMS] = Array.from(
  { length: 2 + COMPARED },
  (_, at) => sql`asked.sections[${sql.lit(at + 1)}]`,
);

/** The sections of the page `t` that hold any of the terms, best first, as JSON; `asked` is joined, with `sections`. */
export function sectionsJson(withBody: RawBuilder<unknown>): RawBuilder<unknown> {
  const holds = TERMS.map((term) => sql`s.terms @@ ${term}`);
  return sql`(select coalesce(json_agg(s), '[]') from (
      select s.ordinal, s.anchor, s.title, case when ${withBody} then s.body end as body,
        ts_rank(${sql.lit(WEIGHTS)}::real[], s.terms, ${ANY}) as rank, array[${sql.join(holds)}] as holds,
        coalesce(s.terms @@ ${WHOLE}, false) as whole
      from search_section s where s.space = t.space and s.page = t.page and s.terms @@ ${ANY}
      order by rank desc, s.ordinal limit ${sql.lit(SECTIONS)}) s)`;
}

/** Pages of any spaces and what is above them, each once; `pages` has the columns `space` and `page`. */
export function entriesAbove(pages: RawBuilder<unknown>): RawBuilder<Above> {
  const entry = (of: string, id: string) =>
    sql`lateral (select e.id, e.parent, e.title, e.slug from entry e
      where e.branch = ${sql.ref(`${of}.space`)} and e.id = ${sql.ref(`${of}.${id}`)} and e.to_seq is null
        and not e.removed offset 0) e`;
  return sql<Above>`with recursive above as (
      select t.space, e.* from ${pages} cross join ${entry("t", "page")}
      union select above.space, e.* from above cross join ${entry("above", "parent")})
    select space, id, parent, title, slug from above`;
}

/** A page and what is above it, the page first; undefined when it is gone. */
export type AncestorsOf = (page: PageKey) => Above[] | undefined;

/** Puts the lines of pages together. */
export function ancestorsIn(entries: Above[]): AncestorsOf {
  const known = new Map(entries.map((entry) => [keyOf({ space: entry.space, page: entry.id }), entry]));
  return ({ space, page }) => {
    const line: Above[] = [];
    for (let id: string | null = page; id !== null && line.length < MAX_DEPTH; ) {
      const entry = known.get(keyOf({ space, page: id }));
      if (!entry) break;
      line.push(entry);
      id = entry.parent;
    }
    return line.length > 0 ? line : undefined;
  };
}
