import { sql } from "kysely";
import type { Projection } from "../../revisions/read-space.js";
import { lineAtPath } from "../../store/path-history.js";
import type { PageEntry } from "../../store/version.js";

/** The page at a path of slugs, or that had it last, and those above it, innermost first; null when there is none. */
export const pageByEarlierPath: Projection<{ line: PageEntry[] | null }, { slugs: string[] }> = (
  version,
  arg,
) => ({
  columns: sql`(with recursive ${lineAtPath(version, sql`${arg("slugs")}`)}
    select json_agg(line order by line.depth) from line) as line`,
});
