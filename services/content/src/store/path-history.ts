import { type RawBuilder, sql } from "kysely";
import { ancestors } from "./entries.js";
import { entriesOf, type ReadAt, UNION } from "./version.js";

// The paths that pages had before they were renamed or moved are in the earlier versions of their entries, so that nothing is
// written down for them. A branch is looked through by its own history: what a change request stands on is not.

/** Pages of one path that are followed further at each level; more have had the same place only after many changes. */
const MOST_FOLLOWED = 8;
/** Earlier versions of pages with one place that are looked at, latest first. */
const MOST_VERSIONS = 500;

/**
 * A recursive table `line`: the page or group at a path of slugs (depth 0) and those above it, as they are now. At each
 * level those that are there come before those that were, the latest first, and a page that is gone may still lead to one
 * that was below it. Case decides only between two that are both there.
 */
export function lineAtPath(version: ReadAt, slugs: RawBuilder<string[]>): RawBuilder<unknown> {
  const path = sql`(${slugs}::text[])`;
  const first = candidates(version, sql`e.parent is null`, sql`${path}[1]`);
  const next = candidates(version, sql`e.parent = above.id`, sql`${path}[step.level + 1]`);
  const is = entriesOf(
    version,
    sql`e.id = was.id and e.slug is not null and coalesce(e.props ->> 'type', 'document') <> 'computed'`,
    sql`e.id`,
  );
  return sql`step as (
    select 1 as level, (${chosen(sql`select c.*, 1 as place from (${first}) c`)}) as ids
    union all
    select step.level + 1, (${chosen(sql`select c.*, above.place
      from unnest(step.ids) with ordinality as above (id, place) cross join lateral (${next} offset 0) c`)})
    from step where step.ids is not null and step.level < cardinality(${path})),
  found as (
    select e.id from step cross join lateral unnest(step.ids) with ordinality as was (id, place)
    cross join lateral (select * from (${is}) e offset 0) e
    where step.level = cardinality(${path}) order by was.place limit 1),
  ${ancestors(version, sql`(select id from found)`)}`;
}

/** The ids of candidates, each once, in the order in which they count. */
const chosen = (rows: RawBuilder<unknown>) => sql`select array_agg(best.id order by best.number) from (
  select c.id, row_number() over (order by min(c.place), min(c.rank), max(c.until) desc, c.id) as number
  from (${rows}) c group by c.id order by number limit ${sql.lit(MOST_FOLLOWED)}) best`;

/** The pages that have a slug in a place, and those that had it until some revision, up to the version that is read. */
function candidates(version: ReadAt, placed: RawBuilder<unknown>, slug: RawBuilder<unknown>) {
  const { branch, seq } = version;
  const named = sql`e.kind = 'page' and ${placed} and lower(e.slug) = lower(${slug})`;
  const columns = sql`e.id, (e.slug <> ${slug})::int as rank, 0 as until`;
  // Apart, so that each is found by an index of its own: those that are still there, and those that went since.
  const since = seq === undefined ? [] : [entriesOf(version, sql`${named} and ${CLOSED}`, columns)];
  const earlier = sql`(select e.id, 2 as rank, e.to_seq as until from entry e
    where e.branch = ${branch} and ${named} and ${CLOSED} and not e.removed
    ${seq === undefined ? sql`` : sql`and e.to_seq <= ${seq}`}
    order by e.parent desc, lower(e.slug) desc, e.to_seq desc limit ${sql.lit(MOST_VERSIONS)})`;
  const open = entriesOf(version, sql`${named} and e.to_seq is null`, columns);
  return sql`select * from (${sql.join([open, ...since, earlier], UNION)}) c`;
}

const CLOSED = sql`e.to_seq is not null and e.slug is not null`;
