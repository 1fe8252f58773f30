import { sql } from "kysely";
import { MAX_DEPTH } from "../store/entries.js";
import { COLUMNS, type Entry, entriesOf, type ReadPoint } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { entriesAt } from "./paths.js";

/** What a reference names by where it lies: a path inside its own space, or a page in the address of a space. */
export interface PathTarget {
  space: string | null;
  path: string;
}

/** The name of a place in a map, and of `r.target_space` and `r.path` in SQL. */
export const pathTargetKey = ({ space, path }: PathTarget): string => `${space ?? ""} ${path}`;

type Found = Pick<Entry, "id" | "kind" | "body">;

/** What lies at places: of the space of a version in that version, of other spaces in their primary content. */
export async function entriesNamed(
  ctx: Ctx,
  version: ReadPoint,
  places: PathTarget[],
): Promise<Map<string, Found & { space: string }>> {
  const { space: own } = version;
  const inside = places.filter(({ space }) => space === null).map(({ path }) => path);
  const ours = places.filter(({ space }) => space === own);
  const theirs = places.filter(({ space }) => space !== null && space !== own);
  const found = new Map<string, Found & { space: string }>();
  for (const [path, entry] of await entriesAt(ctx, version, [...new Set(inside)]))
    found.set(pathTargetKey({ space: null, path }), { ...entry, space: own });
  for (const page of [...(await pagesAddressed(ctx, ours, version)), ...(await pagesAddressed(ctx, theirs))])
    found.set(pathTargetKey(page), page);
  return found;
}

/**
 * The pages that addresses of spaces name, by their ids or their paths of slugs; one query for any number of spaces.
 * Those of a version, else of the primary content of each space.
 */
async function pagesAddressed(ctx: Ctx, places: PathTarget[], version?: ReadPoint) {
  if (places.length === 0) return [];
  const wanted = places.map((place) => ({ ...place, slugs: place.path.split("/") }));
  const at = version ?? { branch: sql<string>`w.space` };
  // The fence keeps each step a look-up, whatever the planner's statistics of the table are.
  const page = (where: ReturnType<typeof sql>) =>
    sql`lateral (select * from (${entriesOf(at, sql`e.kind = 'page' and ${where}`, sql`e.id, e.kind, e.body`)}) e offset 0) e`;
  const { rows } = await sql<Found & { space: string; path: string }>`with recursive
    wanted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w (space text, path text, slugs text[])),
    step as (
      select w.*, 1 as depth, e.id, e.kind, e.body from wanted w
      cross join ${page(sql`e.parent is null and e.slug = w.slugs[1]`)}
      union all
      select w.space, w.path, w.slugs, w.depth + 1, e.id, e.kind, e.body from step w
      cross join ${page(sql`e.parent = w.id and e.slug = w.slugs[w.depth + 1]`)}
      where w.depth < cardinality(w.slugs))
    select w.space, w.path, w.id, w.kind, w.body from step w where w.depth = cardinality(w.slugs)
    union all
    select w.space, w.path, e.id, e.kind, e.body from wanted w
    cross join ${page(sql`e.id = w.slugs[1]`)} where cardinality(w.slugs) = 1`.execute(ctx.db);
  return rows;
}

/** An entry in the primary content of a space. */
export interface Located {
  space: string;
  id: string;
}

/** Entries of any number of spaces as they are now, each with the pages above it, innermost first; by space, then by id. */
export async function ancestorsInOtherSpaces(
  ctx: Ctx,
  entries: Located[],
): Promise<Map<string, Map<string, Entry[]>>> {
  const lines = new Map<string, Map<string, Entry[]>>();
  if (entries.length === 0) return lines;
  const entry = (where: ReturnType<typeof sql>) =>
    sql`lateral (select * from (${entriesOf({ branch: sql<string>`w.space` }, where)}) e offset 0) e`;
  const { rows } = await sql<Entry & { space: string; named: string }>`with recursive line as (
      select w.space, w.id as named, 0 as depth, ${COLUMNS}
      from (select distinct space, id from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as w (space text, id text)) w
      cross join ${entry(sql`e.id = w.id`)}
      union all
      select w.space, w.named, w.depth + 1, ${COLUMNS} from line w
      cross join ${entry(sql`e.id = w.parent`)} where w.depth < ${MAX_DEPTH})
    select * from line order by space, named, depth`.execute(ctx.db);
  for (const { space, named, ...one } of rows) {
    const ofSpace = lines.get(space) ?? new Map<string, Entry[]>();
    lines.set(space, ofSpace);
    ofSpace.set(named, [...(ofSpace.get(named) ?? []), one]);
  }
  return lines;
}
