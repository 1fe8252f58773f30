import { sql } from "kysely";
import { shownTo } from "../../access/visibility.js";
import type { PageKey } from "../../search-index/page-parts.js";
import type { Ctx } from "../../trpc.js";

/** Pages of which it is looked up whether a visitor sees them. */
const MOST = 50;

/** Pages and reusable contents, in the spaces that the visitor's site shows, whose texts name a specification. */
export async function pagesNaming(
  { db, caller }: Pick<Ctx, "db" | "caller">,
  organization: string,
  slug: string,
): Promise<PageKey[]> {
  const epoch = caller.kind === "reader" ? caller.epoch : -1;
  const { rows } = await sql<PageKey>`select distinct r.space, r.source as page from reference r
    join space on space.id = r.space and space.organization = ${organization} and space.deleted_at is null
    join entry e on e.branch = r.space and e.id = r.source and e.body = r.body and e.to_seq is null and not e.removed
    where r.kind = 'openapi' and r.url = ${slug} and coalesce(${shownTo(caller)} <= ${epoch}, false)
    order by 1, 2 limit ${MOST}`.execute(db);
  return rows;
}
