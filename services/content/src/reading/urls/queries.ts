import { sql } from "kysely";
import type { Ctx } from "../../trpc.js";

/** The space that sites show at the longest of these addresses, whose case counts for nothing. */
export async function shownAt({ db }: Ctx, folders: string[]) {
  const { rows } = await sql<{ space: string; url: string }>`select space, url from audience
    where lower(url) = any(${folders.map((folder) => folder.toLowerCase())}::text[])
    order by length(url) desc, site, space limit 1`.execute(db);
  return rows[0];
}
