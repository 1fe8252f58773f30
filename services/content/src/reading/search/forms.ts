import { type Argument, prepare } from "@octavo/shared/database/prepare";
import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "../../trpc.js";
import { hidden, isAmong, type SeveralSpaces, type SeveralValues, valuesOf } from "./scope.js";

/** What differs between a search of one space and of several. */
interface Form {
  /** Pages that hold what a query asks for, with the columns of `search_page`, and the title of their space. */
  pagesWith: (query: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** The first pages of `found`, of each space so many, and of all at least so many, with their place. */
  firstOf: (ofEach: RawBuilder<number>, ofAll: number) => RawBuilder<unknown>;
}

/** Pages of editions are found by the terms of these alone, so no other edition has to be kept out. */
const isEditionOrNotOf = (spaces: RawBuilder<unknown>) =>
  sql`(p.space <> all(${spaces}) or strpos(p.page, '@') > 0)`;

const holdsPhrases = sql`and not exists (select 1 from unnest(asked.phrases) as phrase where not exists (
  select 1 from search_section s where s.space = p.space and s.page = p.page and s.terms @@ phrase))`;

const inOrder = sql`(select *, row_number() over () as place from found)`;

const firstOfOne: Form["firstOf"] = (ofEach, ofAll) =>
  sql`(select * from ${inOrder} f limit greatest(${ofEach}::int, ${sql.lit(ofAll)}))`;

const firstOfSeveral: Form["firstOf"] = (ofEach, ofAll) => sql`(
  select * from (
    select *, row_number() over (partition by space collate "C" order by place) as place_in_space from ${inOrder} f) f
  where place <= ${sql.lit(ofAll)} or place_in_space <= ${ofEach}::int)`;

/** A statement that is prepared for one space and for several, each without phrases and with them. */
export function inForms<Values extends { phrases: string[] }, Row>(
  build: (arg: Argument<Values>, form: Form) => RawBuilder<Row>,
) {
  const pages = (title: RawBuilder<unknown>, joins: RawBuilder<unknown>, where: RawBuilder<unknown>) => ({
    pagesWith: (query: RawBuilder<unknown>) => sql`select p.space, p.page, p.terms, ${title} as title
      from search_page p ${joins} where p.terms @@ ${query} ${where}`,
  });
  const inOne = (where: RawBuilder<unknown>) =>
    prepare<Values, Row>((arg) =>
      build(arg, { ...pages(sql`null::text`, sql``, where), firstOf: firstOfOne }),
    );
  const inSeveral = (where: RawBuilder<unknown>) =>
    prepare<Values & SeveralValues & { pinned: string[] }, Row>((arg) => {
      const organization = hidden(arg("organization"), "text");
      const among = sql`and p.organization = ${organization} and ${isEditionOrNotOf(hidden(arg("pinned"), "text[]"))}`;
      return build(arg as Argument<Values>, {
        ...pages(
          sql`space.title`,
          sql`join space on space.id = p.space and ${isAmong(arg)}`,
          sql`${among} ${where}`,
        ),
        firstOf: firstOfSeveral,
      });
    });
  const statements = {
    one: { plain: inOne(sql``), exact: inOne(holdsPhrases) },
    several: { plain: inSeveral(sql``), exact: inSeveral(holdsPhrases) },
  };
  return async (db: Ctx["db"], values: Values, several?: SeveralSpaces): Promise<Row[]> => {
    const kind = values.phrases.length === 0 ? "plain" : "exact";
    if (!several) return statements.one[kind](db, values);
    const pinned = [...(several.editions?.keys() ?? [])];
    return statements.several[kind](db, { ...values, ...valuesOf(several), pinned });
  };
}
