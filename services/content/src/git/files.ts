import type { PageMeta } from "@octavo/markdown/navigation/tree";
import { type RawBuilder, sql } from "kysely";
import { isMarkdown } from "../documents/names.js";
import { batchesOf, keyset } from "../store/batches.js";
import { INCLUDES } from "../store/includes.js";
import type { Ctx } from "../trpc.js";
import { GitError, MOST_NAMED, named } from "./failure.js";
import type { RepositoryEntry, RepositoryFile } from "./objects.js";
import type { SkippedEntries } from "./skipped.js";

/** The files of a commit, while it is imported: listed as git lists them, and looked up by path. */

const PORTION = 500;
export const ASSETS = ".gitbook/assets/";
/** What stands for bytes that are not UTF-8: two names may read alike. */
const NO_CHARACTER = "\ufffd";

/** Takes the list of files in, as it comes; links, submodules and names that are no text are left out. */
export async function keepFiles(
  ctx: Ctx,
  operation: string,
  entries: AsyncIterable<RepositoryEntry>,
  skipped: SkippedEntries,
) {
  async function* files() {
    for await (const { kind, ...file } of entries) {
      if (kind !== "file") skipped.add(kind, file.path);
      else if (file.path.includes(NO_CHARACTER)) skipped.add("file-name", file.path);
      else yield file;
    }
  }
  for await (const batch of batchesOf(files(), PORTION)) {
    const rows = batch.map(({ path, oid, size }) => ({
      path,
      oid,
      size,
      composed: path.normalize("NFC"),
      reusable: path.startsWith(INCLUDES) && isMarkdown(path),
      asset: path.startsWith(ASSETS),
    }));
    await sql`insert into import_file (operation, path, composed, oid, size, reusable, asset)
      select ${operation}, f.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as f (path text, composed text, oid text, size bigint, reusable boolean, asset boolean)
      on conflict do nothing`.execute(ctx.db);
  }
}

/** The files that satisfy a condition on the alias `f`, by their paths, read as they are gone through. */
export const filesWhere = (ctx: Ctx, operation: string, where: RawBuilder<unknown>) =>
  keyset<RepositoryFile>(async (last) => {
    const { rows } = await sql<RepositoryFile>`select f.path, f.oid, f.size::float8 as size from import_file f
      where f.operation = ${operation} and f.path > ${last?.path ?? ""} and ${where}
      order by f.path limit ${PORTION}`.execute(ctx.db);
    return rows;
  });

export async function fileAt(ctx: Ctx, operation: string, path: string): Promise<RepositoryFile | undefined> {
  for await (const file of filesWhere(ctx, operation, sql`f.path = ${path}`)) return file;
  return undefined;
}

/** Fails when some of the files that satisfy a condition are larger than a limit in bytes, and names them. */
export async function failOnLarger(
  ctx: Ctx,
  operation: string,
  { what, where, limit }: { what: string; where: RawBuilder<unknown>; limit: number },
) {
  const tooLarge: string[] = [];
  let count = 0;
  for await (const { path } of filesWhere(ctx, operation, sql`${where} and f.size > ${limit}`)) {
    count += 1;
    if (tooLarge.length < MOST_NAMED) tooLarge.push(path);
  }
  if (count === 0) return;
  throw new GitError(`${what} of more than ${limit / 1024 ** 2} MB: ${named(tooLarge, count)}`);
}

/** Fails when the files that satisfy a condition are too many, or too large together. A content counts once for each path. */
export async function failOnTotal(
  { db }: Ctx,
  operation: string,
  { what, where, files, bytes }: { what: string; where: RawBuilder<unknown>; files?: number; bytes: number },
) {
  const { rows } = await sql<{ count: number; size: number }>`
    select count(*)::int as count, coalesce(sum(f.size), 0)::float8 as size
    from import_file f where f.operation = ${operation} and ${where}`.execute(db);
  const { count, size } = rows[0]!;
  if (files !== undefined && count > files) throw new GitError(`More than ${files} ${what}`);
  if (size > bytes) throw new GitError(`More than ${bytes / 1024 ** 2} MB of ${what}`);
}

/** The paths of files that may be meant by paths as they are written: in another Unicode form, or with percent escapes. */
export async function filesMeant(ctx: Ctx, operation: string, written: Iterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const batch of batchesOf(written, PORTION)) {
    const forms = batch.flatMap((path) => [path, encodeURI(path)]).map((path) => path.normalize("NFC"));
    const { rows } = await sql<{ path: string }>`select path from import_file
      where operation = ${operation} and composed = any(${[...new Set(forms)]})`.execute(ctx.db);
    for (const { path } of rows) found.push(path);
  }
  return found;
}

/** Notes that files become pages, or assets. */
export async function markFiles(ctx: Ctx, operation: string, as: "page" | "asset", paths: Iterable<string>) {
  for await (const batch of batchesOf(paths, PORTION)) {
    await sql`update import_file set ${sql.ref(as)} = true
      where operation = ${operation} and path = any(${batch}) and not ${sql.ref(as)}`.execute(ctx.db);
  }
}

/** What the texts of the pages say about their places in the tree. */
export async function metaOf(ctx: Ctx, operation: string): Promise<(path: string) => PageMeta | undefined> {
  type Row = { path: string; meta: PageMeta };
  const read = keyset<Row>(async (last) => {
    const { rows } = await sql<Row>`select path, jsonb_strip_nulls(jsonb_build_object(
        'title', source->'title', 'linkTitle', source->'linkTitle', 'slug', source->'slug')) as meta
      from import_file where operation = ${operation} and page and source is not null and path > ${last?.path ?? ""}
      order by path limit ${PORTION}`.execute(ctx.db);
    return rows;
  });
  const known = new Map<string, PageMeta>();
  for await (const { path, meta } of read) known.set(path, meta);
  return (path) => known.get(path);
}

/** How many files are imported. */
export async function countFiles({ db }: Ctx, operation: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from import_file
    where operation = ${operation} and (page or reusable or asset)`.execute(db);
  return rows[0]!.count;
}
