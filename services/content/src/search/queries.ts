import { type RawBuilder, sql } from "kysely";
import { entriesOf, type Version } from "../store/version.js";
import type { Ctx } from "../trpc.js";

/** What a result shows of a page and of the pages above it; the page first. */
export interface LineEntry {
  id: string;
  title: string;
  slug: string | null;
}

/** The pages with these ids and what is above each of them, in one query. */
export async function linesOf(ctx: Ctx, space: string, pages: string[]): Promise<Map<string, LineEntry[]>> {
  if (pages.length === 0) return new Map();
  const version: Version = { space, branch: space, revision: "" };
  const columns = sql`e.id, e.title, e.slug, e.parent`;
  const { rows } = await sql<LineEntry & { page: string }>`with recursive line as (
      select e.id as page, e.*, 0 as depth from (${entriesOf(version, sql`e.id = any(${pages})`, columns)}) e
      union all
      select line.page, e.*, line.depth + 1 from line
      join lateral (${entriesOf(version, sql`e.id = line.parent`, columns)}) e on line.depth < 64)
    select page, id, title, slug from line order by page, depth`.execute(ctx.db);
  const lines = new Map<string, LineEntry[]>();
  for (const { page, ...entry } of rows) lines.set(page, [...(lines.get(page) ?? []), entry]);
  return lines;
}

/** The spaces of an organization that satisfy a condition. */
export const readable = (ctx: Ctx, organization: string, condition: RawBuilder<boolean>) =>
  ctx.db
    .selectFrom("space")
    .select(["id", "title"])
    .where("organization", "=", organization)
    .where("deleted_at", "is", null)
    .where(condition)
    .execute();
