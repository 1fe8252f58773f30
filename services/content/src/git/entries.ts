import { posix } from "node:path";
import type { PageSource } from "@octavo/markdown/source/source";
import { decodePercent } from "@octavo/markdown/text/destination";
import { sql } from "kysely";
import { propsOfSource } from "../documents/properties.js";
import { batchesOf } from "../store/batches.js";
import { type Fields, same } from "../store/merge-entry.js";
import { type Entry, entriesOf } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { isAmong, stagedWhere } from "./staged.js";

/** A staged entry with all that makes it one, and what the space has of it. */
interface Whole extends Omit<Pick<Entry, keyof Entry>, "props" | "created_at" | "updated_at"> {
  props: Fields;
  source: PageSource | null;
  known: Entry | null;
}

const BATCH = 500;

/** Compares what an import staged with what the space has, and notes what is new, changed or gone. */
export async function compare(ctx: Ctx, operation: string, space: string): Promise<void> {
  const now = ctx.clock().toISOString();
  const rows = stagedWhere<Whole>(ctx, operation, {
    columns: sql`w.id, w.kind, above.id as parent, coalesce(w.position, '') as position, w.slug, w.title,
      coalesce(w.body, f.hash) as body, w.file as git_path, f.oid as git_oid, f.source, w.props, to_jsonb(e) as known`,
    joins: sql`left join import_entry above on above.operation = w.operation and above.ordinal = w.parent
      left join import_file f on f.operation = w.operation and f.path = w.file
      left join entry e on e.branch = ${space} and e.id = w.id and e.to_seq is null and not e.removed`,
    where: sql`true`,
  });
  for await (const batch of batchesOf(rows, BATCH)) {
    const files = await coversOf(ctx, operation, batch);
    const changed = batch.flatMap(({ ordinal, known, source, ...row }) => {
      const props = {
        ...(row.kind === "page" && source && sourceFields(row.git_path!, source, files)),
        ...row.props,
      };
      const times = { created_at: known?.created_at ?? now, updated_at: known ? now : null };
      // It was staged with the properties of its kind.
      const entry = { ...row, props, ...times } as Entry;
      return known && same(entry, known) ? [] : [{ ordinal, entry }];
    });
    await sql`update import_entry w set changed = c.entry
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c (ordinal int, entry jsonb)
      where w.operation = ${operation} and w.ordinal = c.ordinal and ${isAmong(changed)}`.execute(ctx.db);
  }
  const gone = sql`not exists (select 1 from import_entry w where w.operation = ${operation} and w.id = e.id)`;
  await sql`insert into import_entry (operation, ordinal, id, kind, removed)
    select ${operation}, (select coalesce(max(ordinal), -1) from import_entry where operation = ${operation})
      + row_number() over (), e.id, e.kind, true
    from (${entriesOf({ branch: space }, gone)}) e`.execute(ctx.db);
}

/** What the text of a page says about it. What the table of contents says comes before it. */
export const sourceFields = (path: string, source: PageSource, files: Map<string, string>) =>
  propsOfSource(source, (cover) => {
    const [file] = coversAt(path, cover).flatMap((at) => files.get(at) ?? []);
    return file === undefined ? undefined : { kind: "file", file };
  });

/** The paths that a page may mean by its cover, the one as it is written first. */
export const coversAt = (page: string, cover: string): string[] =>
  [...new Set([cover, decodePercent(cover)])].map((path) =>
    path.startsWith("/") ? posix.normalize(path.slice(1)) : posix.join(posix.dirname(page), path),
  );

/** The ids of the files that pages have as covers, by their paths. */
async function coversOf({ db }: Ctx, operation: string, pages: Whole[]): Promise<Map<string, string>> {
  const paths = pages.flatMap(({ git_path, source }) =>
    [source?.cover?.ref, source?.cover?.refDark].flatMap((ref) => (ref ? coversAt(git_path!, ref) : [])),
  );
  if (paths.length === 0) return new Map();
  const { rows } = await sql<{ file: string; id: string }>`select file, id from import_entry
    where operation = ${operation} and kind = 'file' and file = any(${paths})`.execute(db);
  return new Map(rows.map(({ file, id }) => [file, id]));
}
