import { sql } from "kysely";
import type { OutlinePage } from "../../documents/contents-table.js";
import { entriesOf, type ReadPoint } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/** All pages of a version, siblings in order, without what no table of contents says. `named` are files that are new. */
export async function outlineOf(
  ctx: Ctx,
  version: ReadPoint,
  named: Map<string, string>,
): Promise<OutlinePage[]> {
  const columns = sql`e.id, e.parent, e.position, e.title, e.slug, e.git_path as file, jsonb_build_object(
    'type', e.props->'type', 'linkTitle', e.props->'linkTitle', 'target', e.props->'target',
    'computed', e.props->'computed', 'occurrence', e.props->'occurrence') as props`;
  const { rows } =
    await sql<OutlinePage>`select * from (${entriesOf(version, sql`e.kind = 'page'`, columns)}) e
    order by e.position, e.id`.execute(ctx.db);
  return rows.map((page) => ({ ...page, file: named.get(page.id) ?? page.file }));
}
