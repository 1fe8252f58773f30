import { type RawBuilder, sql } from "kysely";
import { type Entry, entriesOf, type Version } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { keepOutlines } from "./outlines.js";
import { entriesAt } from "./paths.js";
import { SOURCES, TEXT } from "./record.js";

export type Status = "ok" | "broken" | "in-app";

/** One reference of a version, with what it leads to there. */
export interface Link {
  source: string;
  body: string;
  ordinal: number;
  kind: string;
  url: string;
  anchor: string | null;
  target: string | null;
  target_space: string | null;
  /** The entry of the version that it leads to. */
  leads: string | null;
  status: Status;
}

/** References of a version to look at. */
export interface Scan {
  version: Version;
  /** Which entries they stand in: a condition on `e`. */
  sources: RawBuilder<unknown>;
  /** What addresses of the application begin with. */
  app: string;
  /** Only so many references behind a place, in the order of their sources. */
  window?: { after: [string, number]; limit: number };
}

/** A scan with what its references name by path and not by id, looked up. */
export interface Settled extends Scan {
  paths: string[];
  ids: string[];
}

/**
 * One look-up for each row before it, however many the planner expects: right after an import it knows nothing of the
 * tables, and would compare everything with everything.
 */
const each = (query: RawBuilder<unknown>) => sql`lateral (select * from (${query}) one offset 0)`;

/** The references in the entries of a scan, each with the entry `leads` that it names by its id or by a path. */
function led({ version, sources, window }: Scan, paths: string[], ids: string[]) {
  const from = window ? sql`e.id >= ${window.after[0]}` : sql`true`;
  const of = entriesOf(version, sql`${SOURCES} and ${sources} and ${from}`, sql`e.id, ${TEXT} as text`);
  const references = sql`select * from reference r
    where r.space = ${version.space} and r.source = e.id and r.body = e.text`;
  const part = window
    ? sql`where (r.source, r.ordinal) > (${window.after[0]}, ${window.after[1]})
        order by r.source, r.ordinal limit ${window.limit}`
    : sql``;
  const live = sql`${entriesOf(version, sql`e.id = refs.target`, sql`e.id`)}`;
  const found = JSON.stringify(Object.fromEntries(paths.map((path, index) => [path, ids[index]])));
  return sql`refs as materialized (select r.* from (${of}) e cross join ${each(references)} r ${part}),
    led as materialized (
      select refs.*, coalesce(live.id, ${found}::jsonb ->> refs.path) as leads from refs
      left join ${each(live)} live on refs.target_space is null)`;
}

/** The text of what a reference with an anchor leads to. */
const text = ({ version }: Scan) => each(entriesOf(version, sql`e.id = led.leads`, sql`e.kind, e.body`));
const pointsIn = sql`led.anchor is not null and text.kind <> 'file' and text.body is not null`;

/** Those of `led`, judged: whether they lead to something that is there. */
function judged(scan: Settled) {
  const { version, app, paths, ids } = scan;
  const outline = sql`select * from outline o where o.space = ${version.space} and o.body = text.body`;
  return sql`${led(scan, paths, ids)}, judged as (
    select led.*, case
      when led.kind = 'url' then case when starts_with(led.url, ${app}) then 'in-app' else 'ok' end
      when led.kind in ('user', 'collection', 'space', 'openapi') or led.target_space is not null then 'ok'
      when led.leads is null then 'broken'
      when led.anchor is not null and not (led.anchor = any(outline.anchors)) then 'broken'
      else 'ok' end as status
    from led
    left join ${text(scan)} text on led.anchor is not null
    left join ${each(outline)} outline on ${pointsIn})`;
}

/**
 * Looks up what the references of a scan name by their paths alone, and reads the anchors that they name where that
 * was not done before.
 */
export async function settle(ctx: Ctx, scan: Scan): Promise<Settled> {
  const { rows } = await sql<{ paths: string[]; bodies: string[] }>`with ${led(scan, [], [])}
    select coalesce((select array_agg(distinct path) from led where leads is null and path is not null), '{}') as paths,
      coalesce((select array_agg(distinct text.body) from led join ${text(scan)} text on ${pointsIn}
        where ${unread(scan)}), '{}') as bodies`.execute(ctx.db);
  const { paths, bodies } = rows[0]!;
  const found = [...(await entriesAt(ctx, scan.version, paths))];
  const late = await unreadBodies(
    ctx,
    scan,
    found.flatMap(([, { kind, body }]) => (kind === "file" ? [] : (body ?? []))),
  );
  await keepOutlines(ctx, scan.version.space, [...bodies, ...late]);
  return { ...scan, paths: found.map(([path]) => path), ids: found.map(([, { id }]) => id) };
}

const unread = ({ version }: Scan) => sql`not exists (
  select 1 from outline o where o.space = ${version.space} and o.body = text.body)`;

async function unreadBodies(ctx: Ctx, scan: Scan, bodies: string[]): Promise<string[]> {
  if (bodies.length === 0) return [];
  const { rows } = await sql<{
    body: string;
  }>`select distinct text.body from unnest(${bodies}::text[]) as text (body)
    where ${unread(scan)}`.execute(ctx.db);
  return rows.map(({ body }) => body);
}

/** Which of the links to answer. */
export interface Wanted {
  status?: Status;
  /** Leaves out (`without`) or answers only (`only`) those that are broken in another version as well. */
  known?: { keys: string[]; take: "without" | "only" };
}

const KEY = sql`source || ' ' || body || ' ' || ordinal`;

const isAmong = (keys: string[]) =>
  sql`jsonb_exists(${JSON.stringify(Object.fromEntries(keys.map((key) => [key, 1])))}::jsonb, ${KEY})`;

const wanted = ({ status, known }: Wanted) => {
  const kept = status ? sql`status = ${status}` : sql`true`;
  if (!known) return kept;
  const listed = isAmong(known.keys);
  return known.take === "only" ? sql`${kept} and ${listed}` : sql`${kept} and not ${listed}`;
};

/** Links behind a place in the order of their sources. */
export async function linksAfter(
  ctx: Ctx,
  scan: Settled,
  filter: Wanted,
  after: [string, number],
  limit: number,
): Promise<Link[]> {
  const all = !filter.status && !filter.known;
  const { rows } = await sql<Link>`with ${judged(all ? { ...scan, window: { after, limit } } : scan)}
    select source, body, ordinal, kind, url, anchor, target, target_space, leads, status from judged
    where ${wanted(filter)} and (source, ordinal) > (${after[0]}, ${after[1]})
    order by source, ordinal limit ${limit}`.execute(ctx.db);
  return rows;
}

export interface Counts {
  total: number;
  broken: number;
  inApp: number;
  /** Broken here, and not among the links that were known to be. */
  brokenHere: number;
}

/** How many links there are; `known` are the keys of those that are broken in another version. */
export async function countLinks(ctx: Ctx, scan: Settled, known: string[]): Promise<Counts> {
  const { rows } = await sql<Counts>`with ${judged(scan)}
    select count(*)::int as total, count(*) filter (where status = 'broken')::int as broken,
      count(*) filter (where status = 'in-app')::int as "inApp",
      count(*) filter (where status = 'broken' and not ${isAmong(known)})::int as "brokenHere"
    from judged`.execute(ctx.db);
  return rows[0]!;
}

/** The keys of the links that are broken. */
export async function brokenKeys(ctx: Ctx, scan: Settled): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`with ${judged(scan)}
    select ${KEY} as key from judged where status = 'broken'`.execute(ctx.db);
  return rows.map(({ key }) => key);
}

/** A reference as it is written, and what it leads to. */
interface Written {
  url: string;
  path: string | null;
  entry: Entry | null;
}

/** All references of a scan with what they lead to. */
export async function allLinks(ctx: Ctx, scan: Settled): Promise<Written[]> {
  const entries = entriesOf(scan.version, sql`e.id = led.leads`);
  const { rows } = await sql<Written>`with ${led(scan, scan.paths, scan.ids)}
    select led.url, led.path, row_to_json(t) as entry from led left join ${each(entries)} t on true`.execute(
    ctx.db,
  );
  return rows;
}

/** The paths by which references that name nothing by its id might mean an entry at one of `places`. */
export async function pathsAround(ctx: Ctx, { space, version, places }: Around): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`select distinct r.path from reference r
    where r.space = ${space} and r.path = any(${places}) and (r.target is null
      or not exists (${entriesOf(version, sql`e.id = r.target`, sql`1`)}))`.execute(ctx.db);
  return rows.map(({ path }) => path);
}

interface Around {
  space: string;
  version: Version;
  places: string[];
}

/** The entries that refer to one, by its id or by one of the paths that mean it. */
export const referring = (version: Version, target: string, paths: string[]) => {
  const named = sql`select r.source, r.body, r.target from reference r
    where r.space = ${version.space} and r.source <> ${target}`;
  const dead = sql`not exists (${entriesOf(version, sql`e.id = r.target`, sql`1`)})`;
  return sql`(select distinct e.id from (
      ${named} and r.target = ${target} and r.target_space is null
      union all ${named} and r.path = any(${paths}::text[]) and (r.target is null or ${dead})) r
    cross join ${each(entriesOf(version, sql`e.id = r.source and ${SOURCES} and ${TEXT} = r.body`, sql`e.id`))} e)`;
};

/** Entries that refer to one, behind an id. */
export async function backlinksAfter(ctx: Ctx, found: RawBuilder<unknown>, after: string, limit: number) {
  const { rows } = await sql<{ id: string }>`select id from ${found} found where id > ${after}
    order by id limit ${limit}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

export async function countBacklinks(ctx: Ctx, found: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${found} found`.execute(
    ctx.db,
  );
  return rows[0]!.count;
}
