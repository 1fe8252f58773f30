import { prepare } from "@octavo/shared/database/prepare";
import { sql } from "kysely";
import {
  type Above,
  type AncestorsOf,
  ancestorsIn,
  entriesAbove,
  keyOf,
  type PageKey,
  type SectionHit,
  type SectionQueries,
  sectionsJson,
} from "../../search-index/page-parts.js";
import type { Ctx } from "../../trpc.js";

interface Keys {
  spaces: string[];
  pages: string[];
}

const keysOf = (keys: PageKey[]): Keys => ({
  spaces: keys.map(({ space }) => space),
  pages: keys.map(({ page }) => page),
});

/** The sections of pages that hold what is asked for, by the keys of the pages, without their texts. */
export async function sectionsOf(
  { db }: Ctx,
  pages: PageKey[],
  asked: SectionQueries,
): Promise<Map<string, SectionHit[]>> {
  const rows = pages.length === 0 ? [] : await sectionsAt(db, { ...keysOf(pages), asked });
  return new Map(rows.map((row) => [keyOf(row), row.sections]));
}

const sectionsAt = prepare<Keys & { asked: SectionQueries }, PageKey & { sections: SectionHit[] }>(
  (arg) => sql`with asked as materialized (select ${arg("asked")}::tsquery[] as sections)
    select t.space, t.page, ${sectionsJson(sql`false`)} as sections
    from unnest(${arg("spaces")}::text[], ${arg("pages")}::text[]) as t (space, page) cross join asked`,
);

type SectionKey = PageKey & { ordinal: number };

/** What results show of pages. */
export interface Shown {
  ancestorsOf: AncestorsOf;
  /** What is written in a section; absent when it is gone. */
  textOf: (section: SectionKey) => string | undefined;
}

/** What is above pages, and what is written in some of their sections, in one query. */
export async function shownOf({ db }: Ctx, pages: PageKey[], sections: SectionKey[]): Promise<Shown> {
  const { spaces: of, pages: on } = keysOf(sections);
  const ordinals = sections.map(({ ordinal }) => ordinal);
  const rows = pages.length === 0 ? [] : await shownAt(db, { ...keysOf(pages), of, on, ordinals });
  const key = (section: SectionKey) => `${section.ordinal} ${keyOf(section)}`;
  const texts = new Map<string, string>();
  for (const { space, id: page, ordinal, body } of rows)
    if (ordinal !== null) texts.set(key({ space, page, ordinal }), body!);
  return {
    ancestorsOf: ancestorsIn(rows.filter(({ ordinal }) => ordinal === null)),
    textOf: (section) => texts.get(key(section)),
  };
}

type ShownRow = Above & { ordinal: number | null; body: string | null };

const shownAt = prepare<Keys & { of: string[]; on: string[]; ordinals: number[] }, ShownRow>(
  (arg) => sql`select e.*, null::int as ordinal, null as body
    from (${entriesAbove(sql`unnest(${arg("spaces")}::text[], ${arg("pages")}::text[]) as t (space, page)`)}) e
    union all
    select s.space, s.page, null, null, null, s.ordinal, s.body
    from unnest(${arg("of")}::text[], ${arg("on")}::text[], ${arg("ordinals")}::int[]) as t (space, page, ordinal)
    join search_section s on s.space = t.space and s.page = t.page and s.ordinal = t.ordinal`,
);
