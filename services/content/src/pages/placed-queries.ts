import { type RawBuilder, sql } from "kysely";
import type { PageProps } from "../db/tables/entries.js";
import { keyOf, type PageKey } from "../search-index/page-parts.js";
import { MAX_DEPTH } from "../store/entries.js";
import type { Ctx } from "../trpc.js";

/** A page, group or reusable content, as what decides who is shown it has it. */
export interface Placed {
  space: string;
  id: string;
  parent: string | null;
  title: string;
  slug: string | null;
  props: PageProps;
  /** Whether something in the text may be for some only; of pages that were asked for. */
  mayHide: boolean;
  /** The text of a page that was asked for, where something in it, or in what it is called, may be for some only. */
  markdown: string | null;
}

/** What may begin a part that is for some visitors, or for those who work on the text; more than really does. */
const mayHide = (text: RawBuilder<unknown>) =>
  sql`(${text} ~* '\\{%-?\\s*if' or ${text} like '%expression%' or ${text} like '%<!--%')`;
const IN_TEXT = mayHide(sql`coalesce(b.markdown, '')`);
const IN_NAMES = mayHide(sql`concat(above.title, ' ', above.props ->> 'description')`);

/** Returns what finds a page with all that is above it, innermost first; one query for all of them. */
export async function linesOf({ db }: Pick<Ctx, "db">, pages: PageKey[]) {
  const asked = sql`unnest(${pages.map(({ space }) => space)}::text[], ${pages.map(({ page }) => page)}::text[])`;
  const entry = (of: string, id: string) =>
    sql`lateral (select e.id, e.parent, e.title, e.slug, e.props, e.body from entry e
      where e.branch = ${sql.ref(`${of}.space`)} and e.id = ${sql.ref(`${of}.${id}`)} and e.to_seq is null
        and not e.removed offset 0) e`;
  const { rows } = await sql<Placed>`with recursive above as (
      select t.space, e.* from ${asked} as t (space, page) cross join ${entry("t", "page")}
      union select above.space, e.* from above cross join ${entry("above", "parent")})
    select above.space, above.id, above.parent, above.title, above.slug, above.props,
      ${IN_TEXT} as "mayHide", case when ${IN_TEXT} or ${IN_NAMES} then b.markdown end as markdown
    from above left join ${asked} as t (space, page) on t.space = above.space and t.page = above.id
    left join body b on t.page is not null and b.space = above.space and b.hash = above.body`.execute(db);
  const known = new Map(rows.map((row) => [keyOf({ space: row.space, page: row.id }), row]));
  return ({ space, page }: PageKey): Placed[] | undefined => {
    const line: Placed[] = [];
    for (let id: string | null = page; id !== null && line.length < MAX_DEPTH; ) {
      const row = known.get(keyOf({ space, page: id }));
      if (!row) return undefined;
      line.push(row);
      id = row.parent;
    }
    return line.at(-1)?.parent === null ? line : undefined;
  };
}

/** The variables of spaces, by their ids, as expressions read them. */
export async function variablesIn({ db }: Pick<Ctx, "db">, spaces: string[]) {
  const { rows } = await sql<{ space: string; title: string; value: unknown }>`
    select branch as space, title, props -> 'value' as value from entry
    where branch = any(${spaces}) and kind = 'variable' and to_seq is null and not removed`.execute(db);
  const variables = new Map<string, Record<string, unknown>>();
  for (const { space, title, value } of rows)
    variables.set(space, { ...variables.get(space), [title]: value });
  return variables;
}
