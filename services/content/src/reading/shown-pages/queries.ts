import { anyOf } from "@octavo/shared/database/any-of";
import { sql } from "kysely";
import type { Projection } from "../../revisions/read-space.js";
import { lineAtPath } from "../../store/path-history.js";
import type { PageEntry } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

/** The page at a path of slugs, or that had it last, and those above it, innermost first; null when there is none. */
export const pageByEarlierPath: Projection<{ line: PageEntry[] | null }, { slugs: string[] }> = (
  version,
  arg,
) => ({
  columns: sql`(with recursive ${lineAtPath(version, sql`${arg("slugs")}`)}
    select json_agg(line order by line.depth) from line) as line`,
});

/** Which of some targets pages of a space refer to in texts with these hashes, each once for a text of a page. */
export async function referencesFrom(
  { db }: Ctx,
  space: string,
  { bodies, targets }: { bodies: (string | null)[]; targets: string[] },
) {
  if (targets.length === 0) return [];
  return db
    .selectFrom("reference")
    .select(["source", "body", "target"])
    .distinct()
    .where("space", "=", space)
    .where("target", "=", anyOf(targets))
    .where("body", "=", anyOf(bodies.filter((body) => body !== null)))
    .execute();
}
