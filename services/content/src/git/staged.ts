import { newId } from "@octavo/shared/ids";
import { type RawBuilder, sql } from "kysely";
import type { Changes } from "../revisions/commit.js";
import { batchesOf, type Many } from "../store/batches.js";
import type { Entry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import type { Operation } from "./operations.js";

/** The entries that the space shall have after an import, and what of them changes. */

const PORTION = 500;

/** An entry that the space shall have, before it is known whether it has it. */
export interface Staged {
  kind: Entry["kind"];
  title: string;
  props: object;
  /** The ordinal of the page above. */
  parent?: number;
  place?: number;
  depth?: number;
  slug?: string;
  file?: string;
  occurrence?: number;
  /** The file that a link leads to. */
  leads_to?: { file: string; anchor?: string };
  /** The content of a file; a text is found by its file. */
  body?: string;
}

/** Takes entries in behind those that are there, numbered in their order. */
export async function stage(ctx: Ctx, operation: string, entries: Many<Staged>): Promise<void> {
  for await (const batch of batchesOf(entries, PORTION)) {
    const rows = batch.map((entry) => ({ occurrence: 0, ...entry, id: newId() }));
    await sql`insert into import_entry
        (operation, ordinal, id, kind, parent, place, depth, slug, title, file, occurrence, leads_to, body, props)
      select ${operation}, (select coalesce(max(ordinal), -1) from import_entry where operation = ${operation}) + nth,
        id, kind, parent, place, depth, slug, title, file, occurrence, leads_to, body, props
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (id text, kind text, parent int, place int,
        depth int, slug text, title text, file text, occurrence int, leads_to jsonb, body text, props jsonb))
        with ordinality as e (id, kind, parent, place, depth, slug, title, file, occurrence, leads_to, body, props, nth)`.execute(
      ctx.db,
    );
  }
}

/**
 * Rows of staged entries `w` in their order, read as they are gone through. By ranges of their numbers, of which none is
 * left out: the planner has no statistics of what an import has noted since, and would sort all that follow each time.
 */
export async function* stagedWhere<Row>(
  { db }: Ctx,
  operation: string,
  {
    columns,
    joins = sql``,
    where,
  }: Record<"columns" | "where", RawBuilder<unknown>> & { joins?: RawBuilder<unknown> },
): AsyncGenerator<Row & { ordinal: number }> {
  const { rows } = await sql<{ count: number }>`select coalesce(max(ordinal) + 1, 0) as count
    from import_entry where operation = ${operation}`.execute(db);
  for (let from = 0; from < rows[0]!.count; from += PORTION) {
    const portion = await sql<
      Row & { ordinal: number }
    >`select w.ordinal, ${columns} from import_entry w ${joins}
      where w.operation = ${operation} and w.ordinal >= ${from} and w.ordinal < ${from + PORTION} and ${where}
      order by w.ordinal`.execute(db);
    yield* portion.rows;
  }
}

/**
 * Whether a staged entry `w` is one of these, for statements that join them: the index finds rows by numbers that are named,
 * where else all of the operation are read for each batch.
 */
export const isAmong = (entries: { ordinal: number }[]): RawBuilder<boolean> =>
  sql<boolean>`w.ordinal = any(${entries.map(({ ordinal }) => ordinal)}::int[])`;

/** What changes, read anew whenever it is gone through. */
export function stagedChanges(ctx: Ctx, operation: string): Changes {
  const put = { columns: sql`w.changed`, where: sql`w.changed is not null` };
  const remove = { columns: sql`w.id`, where: sql`w.removed` };
  return {
    put: anew(async function* () {
      for await (const { changed } of stagedWhere<{ changed: Entry }>(ctx, operation, put)) yield changed;
    }),
    remove: anew(async function* () {
      for await (const { id } of stagedWhere<{ id: string }>(ctx, operation, remove)) yield id;
    }),
  };
}

const anew = <Item>(read: () => AsyncGenerator<Item>): AsyncIterable<Item> => ({
  [Symbol.asyncIterator]: read,
});

/** Gives the planner statistics of how much there is to compare. */
export const analyzeStagingTables = ({ db }: Ctx) => sql`analyze import_file, import_entry`.execute(db);

/** Forgets what an import staged, and those of the space before it that were killed. */
export async function discard({ db }: Ctx, { id, space }: Operation): Promise<void> {
  const left = sql`operation in (select id from git_operation where space = ${space}
    and (id = ${id} or state <> 'running'))`;
  await sql`delete from import_file where ${left}`.execute(db);
  await sql`delete from import_entry where ${left}`.execute(db);
}
