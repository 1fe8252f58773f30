import { anyOf } from "@octavo/shared/database/any-of";
import { type RawBuilder, sql } from "kysely";
import { batchesOf, keyset } from "../store/batches.js";
import { bodiesOf } from "../store/bodies.js";
import { entriesOf } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { GitError } from "./failure.js";
import type { Operation } from "./operations.js";
import type { Repository } from "./repository.js";
import type { Compared } from "./similar.js";

/** Texts that went, and texts that came, which are compared; beyond them pages that were renamed and rewritten are new. */
const MOST_FILES = 2_000;
const MOST_BYTES = 32 * 1024 * 1024;
const PORTION = 200;
/** Contents of nothing are equal, and say nothing. */
const EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/**
 * Notes for files that the space does not have from which of its files they were renamed: those with the same content, of
 * equal ones first those with the same name, then texts that are similar. Entries keep their ids by it.
 */
export async function findRenames(ctx: Ctx, { id, space }: Operation, repository: Repository): Promise<void> {
  await byContent(ctx, { operation: id, space, name: sql`regexp_replace(path, '^.*/', '')` });
  await byContent(ctx, { operation: id, space, name: sql`''` });
  const gone = texts(ctx, "went", { operation: id, space });
  const come = texts(ctx, "came", { operation: id, space });
  if (!(await hasAny(gone)) || !(await hasAny(come))) return;
  try {
    for await (const batch of batchesOf(await repository.similar(gone(), come()), 500)) {
      await sql`update import_file f set renamed_from = pair.from
        from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as pair ("from" text, "to" text)
        where f.operation = ${id} and f.path = pair.to and f.renamed_from is null
          and f.path = ${anyOf(batch.map(({ to }) => to))}`.execute(ctx.db);
    }
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    ctx.log.warn({ err: error, space }, "renamed pages of an import were not looked for");
  }
}

interface Where {
  operation: string;
  space: string;
}

/** Files of the commit that the space does not have, with what they become. */
const came = ({ operation, space }: Where) => sql`
  select f.path, f.oid, case when f.page then 'page' when f.reusable then 'reusable' else 'file' end as kind,
    null as body, f.size::float8 as size
  from import_file f where f.operation = ${operation} and (f.page or f.reusable or f.asset) and f.renamed_from is null
    and not exists (select 1 from (${entriesOf({ branch: space }, sql`e.git_path is not null`, sql`e.git_path`)}) e
      where e.git_path = f.path)`;

/** Files of the space that the commit does not have, and that none of its files is known to be. */
const went = ({ operation, space }: Where) => sql`
  select distinct on (e.git_path) e.git_path as path, e.git_oid as oid, e.kind, e.body,
    (select octet_length(markdown) from body b where b.space = ${space} and b.hash = e.body)::float8 as size
  from (${entriesOf({ branch: space }, sql`e.git_path is not null and e.git_oid is not null`)}) e
  where not exists (select 1 from import_file f where f.operation = ${operation} and f.path = e.git_path)
    and not exists (select 1 from import_file f where f.operation = ${operation} and f.renamed_from = e.git_path)
  order by e.git_path`;

async function byContent(ctx: Ctx, { name, ...where }: Where & { name: RawBuilder<string> }) {
  const numbered = (files: RawBuilder<unknown>) => sql`select path, kind, oid, ${name} as name,
    row_number() over (partition by kind, oid, ${name} order by path) as nth from (${files}) f where oid <> ${EMPTY}`;
  await sql`with came as materialized (${numbered(came(where))}), went as materialized (${numbered(went(where))})
    update import_file f set renamed_from = went.path
    from came join went using (kind, oid, name, nth)
    where f.operation = ${where.operation} and f.path = came.path`.execute(ctx.db);
}

/** The texts on one side that are still without a pair, as far as they are compared; read anew by each call. */
const texts = (ctx: Ctx, side: "came" | "went", where: Where) =>
  async function* (): AsyncGenerator<Compared> {
    type Row = { path: string; oid: string; body: string | null; size: number };
    const files = side === "came" ? came(where) : went(where);
    const rows = keyset<Row>(async (last) => {
      const { rows } = await sql<Row>`select path, oid, body, size from (${files}) f
        where kind <> 'file' and oid <> ${EMPTY} and path > ${last?.path ?? ""}
        order by path limit ${PORTION}`.execute(ctx.db);
      return rows;
    });
    let [count, bytes] = [0, 0];
    for await (const row of rows) {
      count += 1;
      bytes += row.size;
      if (count > MOST_FILES || bytes > MOST_BYTES) return;
      if (side === "came") yield { path: row.path, oid: row.oid };
      else {
        const bodies = await bodiesOf(ctx, where.space, [row.body!]);
        const text = bodies.get(row.body!);
        if (text !== undefined) yield { path: row.path, text };
      }
    }
  };

async function hasAny(files: () => AsyncGenerator<Compared>): Promise<boolean> {
  for await (const _ of files()) return true;
  return false;
}
