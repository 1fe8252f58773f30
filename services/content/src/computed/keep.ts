import { newId } from "@octavo/shared/ids";
import { sql } from "kysely";
import { suspect } from "../files/contents.js";
import type { FileEntry } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import type { Made } from "./made.js";

/** Results of a source that are kept: revisions from before show the oldest of them no more. */
const KEPT = 20;
/** Results of all sources of a space that are kept, those that are declared no more among them. */
const KEPT_OF_ALL = 400;
/** Bytes of the files of all results of a space that are kept: beyond that, the oldest lose theirs. */
const KEPT_BYTES = 2 * 1024 ** 3;
/** Files of a space that is purged which are forgotten at a time. */
const BATCH = 1000;

/** What was computed of a source. */
export interface Computed {
  space: string;
  key: string;
  inputs: string;
  /** Null where nothing is shown of it any more. */
  pages: Made[] | null;
  created_at: Date;
}

/** Keeps what was computed with its files, and forgets what is long past. */
export async function insertResult(ctx: Ctx, computed: Computed, files: FileEntry[] = []): Promise<void> {
  const { db } = ctx;
  const result = newId();
  await db
    .insertInto("computed_result")
    .values({ ...computed, id: result, pages: JSON.stringify(computed.pages) })
    .execute();
  const rows = files.map(({ id, title, body, props }) => ({
    result,
    id,
    name: title,
    hash: body,
    props: JSON.stringify(props),
  }));
  if (rows.length > 0) await db.insertInto("computed_file").values(rows).execute();
  const { space, key } = computed;
  const unnamed = [
    ...(await forgetResults(ctx, sql`space = ${space} and key = ${key}`, KEPT)),
    ...(await forgetResults(ctx, sql`space = ${space}`, KEPT_OF_ALL)),
    ...(await forgetLarge(ctx, space)),
  ];
  await suspect(ctx, [...new Set(unnamed)]);
}

/** Forgets the results but the newest; returns which contents they named. */
async function forgetResults({ db }: Ctx, of: ReturnType<typeof sql>, kept: number): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`with gone as (
      delete from computed_result where ${of} and id not in (
        select id from computed_result where ${of} order by created_at desc, id desc limit ${kept})
      returning id)
    select distinct hash from computed_file where result in (select id from gone)`.execute(db);
  return rows.map(({ hash }) => hash);
}

/** Forgets the files of the oldest results where all together are too large; what is shown now keeps its files. */
async function forgetLarge({ db }: Ctx, space: string): Promise<string[]> {
  const order = sql`is_last desc, created_at desc, id desc`;
  const { rows } = await sql<{ hash: string }>`with results as (
      select id, created_at, row_number() over (partition by key order by created_at desc, id desc) = 1 as is_last
      from computed_result where space = ${space}),
    contents as (
      select distinct on (f.hash) r.*, (f.props ->> 'size')::bigint as size
      from results r join computed_file f on f.result = r.id
      order by f.hash, ${order}),
    totals as (
      select r.id, r.is_last, sum(coalesce(c.size, 0)) over (order by r.is_last desc, r.created_at desc, r.id desc) as total
      from results r left join contents c on c.id = r.id)
    delete from computed_file where result in (select id from totals where total > ${KEPT_BYTES} and not is_last)
    returning hash`.execute(db);
  return rows.map(({ hash }) => hash);
}

/** Bytes of the files that the latest results of the other sources of a space have. */
export async function bytesBeside({ db }: Ctx, space: string, key: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(size), 0)::float8 as bytes from (
      select distinct f.hash, (f.props ->> 'size')::bigint as size from computed_file f join (
        select distinct on (key) id from computed_result where space = ${space} and key <> ${key}
        order by key, created_at desc, id desc) latest on latest.id = f.result) shown`.execute(db);
  return rows[0]!.bytes;
}

/** Forgets some files that were computed for a space that is purged, and has their contents checked; false without any. */
export async function forgetFiles(ctx: Ctx, space: string): Promise<boolean> {
  const { rows } = await sql<{ hash: string }>`delete from computed_file where ctid = any(array(
      select f.ctid from computed_file f join computed_result r on r.id = f.result
      where r.space = ${space} limit ${BATCH}))
    returning hash`.execute(ctx.db);
  await suspect(ctx, [...new Set(rows.map(({ hash }) => hash))]);
  return rows.length > 0;
}
