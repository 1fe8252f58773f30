import { type RawBuilder, sql } from "kysely";
import type { PageProps } from "../db/tables/entries.js";
import { editionOf } from "../search-index/editions.js";
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
  sql`(${text} ~* '\\{%-?\\s*if' or (${text} like '%expression%' and ${text} ~* '<code[^>]')
    or ${text} like '%<!--%')`;
const IN_TEXT = mayHide(sql`coalesce(b.markdown, '')`);
const IN_NAMES = mayHide(sql`concat(above.title, ' ', above.props ->> 'description')`);

/** Returns what finds a page with all that is above it, innermost first; one query for all, and one for all that are pinned. */
export async function linesOf(ctx: Pick<Ctx, "db">, pages: PageKey[]) {
  const pinned = pages.filter(({ page }) => editionOf(page) !== undefined);
  const current = pages.filter(({ page }) => editionOf(page) === undefined);
  const [now, then] = await Promise.all([
    linesAt(ctx, current, sql`e.to_seq is null`),
    linesAt(ctx, pinned, sql`e.from_seq <= t.seq and (e.to_seq is null or e.to_seq > t.seq)`),
  ]);
  return (key: PageKey): Placed[] | undefined => (editionOf(key.page) === undefined ? now(key) : then(key));
}

/** The same for pages that are all of the primary content, or all of editions; entries `e` are read where they are valid. */
async function linesAt({ db }: Pick<Ctx, "db">, pages: PageKey[], isValid: RawBuilder<unknown>) {
  const [spaces, keys] = [pages.map(({ space }) => space), pages.map(({ page }) => page)];
  const asked = sql`(select k.space, split_part(k.key, '@', 1) as page, r.seq
    from unnest(${spaces}::text[], ${keys}::text[]) as k (space, key)
    left join revision r on r.space = k.space and r.id = split_part(k.key, '@', 2))`;
  const entry = (id: RawBuilder<unknown>) =>
    sql`lateral (select e.id, e.parent, e.title, e.slug, e.props, e.body from entry e
      where e.branch = t.space and e.id = ${id} and ${isValid} and not e.removed offset 0) e`;
  const { rows } =
    pages.length === 0
      ? { rows: [] }
      : await sql<Placed>`with recursive above as (
      select t.space, t.seq, e.* from ${asked} as t cross join ${entry(sql`t.page`)}
      union select t.space, t.seq, e.* from above t cross join ${entry(sql`t.parent`)})
    select above.space, above.id, above.parent, above.title, above.slug, above.props,
      ${IN_TEXT} as "mayHide", case when ${IN_TEXT} or ${IN_NAMES} then b.markdown end as markdown
    from above left join ${asked} as t on t.space = above.space and t.page = above.id
    left join body b on t.page is not null and b.space = above.space and b.hash = above.body`.execute(db);
  const known = new Map(rows.map((row) => [keyOf({ space: row.space, page: row.id }), row]));
  return ({ space, page }: PageKey): Placed[] | undefined => {
    const line: Placed[] = [];
    for (let id: string | null = page.split("@")[0]!; id !== null && line.length < MAX_DEPTH; ) {
      const row = known.get(keyOf({ space, page: id }));
      if (!row) return undefined;
      line.push(row);
      id = row.parent;
    }
    return line.at(-1)?.parent === null ? line : undefined;
  };
}

/** The variables of spaces, by their ids, as expressions read them; of those that are named with a revision, as they were at it. */
export async function variablesIn({ db }: Pick<Ctx, "db">, spaces: Map<string, string | undefined>) {
  const [ids, revisions] = [[...spaces.keys()], [...spaces.values()].map((revision) => revision ?? null)];
  const { rows } = await sql<{ space: string; title: string; value: unknown }>`
    select e.branch as space, e.title, e.props -> 'value' as value
    from unnest(${ids}::text[], ${revisions}::text[]) as k (space, revision)
    left join revision r on r.space = k.space and r.id = k.revision
    join entry e on e.branch = k.space and e.kind = 'variable' and not e.removed
      and (case when r.seq is null then e.to_seq is null
        else e.from_seq <= r.seq and (e.to_seq is null or e.to_seq > r.seq) end)`.execute(db);
  const variables = new Map<string, Record<string, unknown>>();
  for (const { space, title, value } of rows)
    variables.set(space, { ...variables.get(space), [title]: value });
  return variables;
}
