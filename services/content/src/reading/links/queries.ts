import { type RawBuilder, sql } from "kysely";
import { addressInRepository, type RepositoryTree } from "../../pages/repository-links.js";
import { entriesNamed, type PathTarget } from "../../references/addressed.js";
import { keepOutlines, READING } from "../../references/outlines.js";
import { each, SOURCES, TEXT } from "../../references/record.js";
import { entriesOf, type ReadPoint } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";

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
  /** The file of the repository that it stands in. */
  source_path: string | null;
  /** The entry that it leads to: of the version, or of the primary content of another space. */
  leads: string | null;
  elsewhere: boolean;
  status: Status;
}

/** References of a version to look at. */
export interface Scan {
  version: ReadPoint;
  /** The page that they stand on; any when absent. */
  page?: string;
  /** What addresses of the application begin with. */
  app: string;
  /** The other spaces that it leads to, as far as the caller may read them. */
  readable: string[];
  /** Where the host of the space's repository shows files that are none of the space's. */
  tree?: RepositoryTree;
  /** Only so many references behind a place, in the order of their sources. */
  window?: { after: [string, number]; limit: number };
}

/** What the references of a scan lead to by their paths. */
export interface Found {
  /** The ids of what they name by path and not by id, by the keys of these places. */
  found: Record<string, string>;
  /** The places of those that lead to files of the repository which are none of the space's. */
  hosted: string[];
}

export type Resolved = Scan & Found;

/**
 * A condition on entries by their ids. A scan of everything goes over all entries and looks each up in a hash: `is true`
 * keeps the planner from making a join of it. Of one page, or one part of a list, the ids are few.
 */
const isAmongIds = ({ page, window }: Scan, ids: RawBuilder<unknown>) =>
  page === undefined && !window ? sql`(e.id in (${ids})) is true` : sql`e.id = any(array(${ids}))`;

const PLACE = sql`coalesce(refs.target_space, '') || ' ' || refs.path`;

/** The references in the entries of a scan, each with the entry `leads` that it names by its id or by a path. */
function led(scan: Scan, found: Record<string, string> = {}) {
  const { version, page, window, readable } = scan;
  const sources = page === undefined ? sql`true` : sql`e.id = ${page}`;
  const from = window ? sql`e.id >= ${window.after[0]}` : sql`true`;
  const of = entriesOf(
    version,
    sql`${SOURCES} and ${sources} and ${from}`,
    sql`e.id, e.git_path, ${TEXT} as text`,
  );
  const references = sql`select r.*, e.git_path as source_path from reference r
    where r.space = ${version.space} and r.source = e.id and r.body = e.text`;
  const part = window
    ? sql`where (r.source, r.ordinal) > (${window.after[0]}, ${window.after[1]})
        order by r.source, r.ordinal limit ${window.limit}`
    : sql``;
  const live = entriesOf(
    version,
    isAmongIds(scan, sql`select target from refs where not elsewhere and target is not null`),
  );
  const other = sql<string>`case when refs.elsewhere and refs.target_space = any(${readable}::text[])
    then refs.target_space end`;
  // Most spaces lead nowhere else, and those shall not pay for the look.
  const far =
    readable.length === 0
      ? sql`select null as id`
      : entriesOf({ branch: other }, sql`e.id = refs.target`, sql`e.id`);
  return sql`refs as materialized (
      select r.*, coalesce(r.target_space <> ${version.space}, false) as elsewhere
      from (${of}) e cross join ${each(references)} r ${part}),
    live as materialized (
      select coalesce(jsonb_object_agg(e.id, true), '{}') as ids from (${live}) e),
    led as materialized (
      select refs.*, coalesce(
        case when not refs.elsewhere and jsonb_exists((select ids from live), refs.target) then refs.target end,
        far.id, ${JSON.stringify(found)}::jsonb ->> (${PLACE})) collate "default" as leads
      from refs left join ${each(far)} far on true)`;
}

/** The texts that references with an anchor lead to, by their pages. */
const texts = (scan: Scan) => sql`texts as materialized (
  select coalesce(jsonb_object_agg(e.id, e.body), '{}') as bodies from (${entriesOf(
    scan.version,
    sql`e.kind <> 'file' and e.body is not null and ${isAmongIds(
      scan,
      sql`select leads from led where anchor is not null and not elsewhere and leads is not null`,
    )}`,
    sql`e.id, e.body`,
  )}) e)`;
/** The text that a reference points into. */
const POINTED = sql`(case when led.anchor is not null and not led.elsewhere
  then (select bodies from texts) ->> led.leads end)`;

/** The place of a reference in a scan. */
const AT = sql`led.source || ' ' || led.ordinal`;

/** Those of `led`, resolved: whether they lead to something that is there. */
function resolved(scan: Resolved) {
  const { version, app, found, hosted, readable } = scan;
  const known = [...readable, version.space];
  const outline = sql`select * from outline o where o.space = ${version.space} and o.body = ${POINTED}`;
  return sql`${led(scan, found)}, ${texts(scan)}, resolved as (
    select led.*, case
      when led.kind = 'url' then case when starts_with(led.url, ${app}) then 'in-app' else 'ok' end
      when led.kind in ('user', 'collection', 'openapi') then 'ok'
      -- What the caller may not read looks the same whether or not it is there.
      when led.target_space is not null and not (led.target_space = any(${known}::text[]))
        then case when starts_with(led.url, ${app}) then 'in-app'
          when starts_with(led.url, '/broken/') then 'broken' else 'ok' end
      when led.kind = 'space' then 'ok'
      when led.leads is null then case when ${isIn(AT, hosted)} then 'ok' else 'broken' end
      when not (led.anchor = any(outline.anchors)) then 'broken'
      else 'ok' end as status
    from led left join ${each(outline)} outline on true)`;
}

/**
 * Looks up what the references of a scan name by their paths alone, and reads the anchors that they name where that
 * was not done before.
 */
export async function resolveTargets(ctx: Ctx, scan: Scan): Promise<Resolved> {
  const { version, readable } = scan;
  const within = [...readable, version.space];
  const { rows } = await sql<{ places: PathTarget[]; bodies: string[] }>`with ${led(scan)}, ${texts(scan)}
    select coalesce((select jsonb_agg(distinct jsonb_build_object('space', target_space, 'path', path)) from led
        where leads is null and path is not null and (target_space is null or target_space = any(${within}::text[]))),
        '[]') as places,
      coalesce((select array_agg(distinct text.body) from texts, jsonb_each_text(texts.bodies) as text (page, body)
        where ${unread(scan)}), '{}') as bodies`.execute(ctx.db);
  const { places, bodies } = rows[0]!;
  const found = [...(await entriesNamed(ctx, version, places))];
  const ours = found.filter(([, { space, kind }]) => space === version.space && kind !== "file");
  const late = await unreadBodies(
    ctx,
    scan,
    ours.flatMap(([, { body }]) => body ?? []),
  );
  await keepOutlines(ctx, version.space, [...bodies, ...late]);
  const named = Object.fromEntries(found.map(([key, { id }]) => [key, id]));
  return { ...scan, found: named, hosted: await hostedLinks(ctx, scan, named) };
}

/** Which references lead to where the host of the repository shows files, as documents show them. */
async function hostedLinks(ctx: Ctx, scan: Scan, found: Record<string, string>): Promise<string[]> {
  const { tree } = scan;
  if (!tree) return [];
  const { rows } = await sql<{
    at: string;
    sourcePath: string;
    url: string;
  }>`with ${led(scan, found)} select ${AT} as at, led.source_path as "sourcePath", led.url from led
    where led.leads is null and led.kind = 'path' and led.target_space is null and led.source_path is not null`.execute(
    ctx.db,
  );
  return rows.filter((row) => addressInRepository(tree, row) !== undefined).map(({ at }) => at);
}

const unread = ({ version }: Scan) => sql`not exists (
  select 1 from outline o where o.space = ${version.space} and o.body = text.body and o.reading >= ${READING})`;

async function unreadBodies(ctx: Ctx, scan: Scan, bodies: string[]): Promise<string[]> {
  if (bodies.length === 0) return [];
  const { rows } = await sql<{
    body: string;
  }>`select distinct text.body from unnest(${bodies}::text[]) as text (body)
    where ${unread(scan)}`.execute(ctx.db);
  return rows.map(({ body }) => body);
}

/** Which of the links to return. */
export interface Wanted {
  status?: Status;
  /** Leaves out (`without`) or returns only (`only`) those that are broken in another version as well. */
  known?: { keys: string[]; take: "without" | "only" };
}

const KEY = sql`source || ' ' || body || ' ' || ordinal`;

const isIn = (key: RawBuilder<unknown>, keys: string[]) =>
  sql`jsonb_exists(${JSON.stringify(Object.fromEntries(keys.map((key) => [key, 1])))}::jsonb, ${key})`;
const isAmong = (keys: string[]) => isIn(KEY, keys);

const wanted = ({ status, known }: Wanted) => {
  const kept = status ? sql`status = ${status}` : sql`true`;
  if (!known) return kept;
  const listed = isAmong(known.keys);
  return known.take === "only" ? sql`${kept} and ${listed}` : sql`${kept} and not ${listed}`;
};

/** Links behind a place in the order of their sources. */
export async function linksAfter(
  ctx: Ctx,
  scan: Resolved,
  filter: Wanted,
  after: [string, number],
  limit: number,
): Promise<Link[]> {
  const all = !filter.status && !filter.known;
  const { rows } = await sql<Link>`with ${resolved(all ? { ...scan, window: { after, limit } } : scan)}
    select source, body, ordinal, kind, url, anchor, target, target_space, source_path, leads,
      elsewhere, status from resolved
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
export async function countLinks(ctx: Ctx, scan: Resolved, known: string[]): Promise<Counts> {
  const { rows } = await sql<Counts>`with ${resolved(scan)}
    select count(*)::int as total, count(*) filter (where status = 'broken')::int as broken,
      count(*) filter (where status = 'in-app')::int as "inApp",
      count(*) filter (where status = 'broken' and not ${isAmong(known)})::int as "brokenHere"
    from resolved`.execute(ctx.db);
  return rows[0]!;
}

/** The keys of the links that are broken. */
export async function brokenKeys(ctx: Ctx, scan: Resolved): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`with ${resolved(scan)}
    select ${KEY} as key from resolved where status = 'broken'`.execute(ctx.db);
  return rows.map(({ key }) => key);
}

/** The other spaces that a space refers to, or did in one of its texts. */
export async function spacesReferredTo(ctx: Ctx, space: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct target_space as id from reference
    where space = ${space} and target_space is not null and target_space <> ${space}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}
