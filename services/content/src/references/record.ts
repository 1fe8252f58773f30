import type { Ref } from "@octavo/markdown/document/refs";
import type { Reference } from "@octavo/markdown/links/references";
import { type RawBuilder, sql } from "kysely";
import type { ReferenceTable } from "../db/tables/links.js";
import { type Meaning, meaningOf, meaningOfRef } from "../documents/addresses.js";
import { batchesOf, inBatches, type Many } from "../store/batches.js";
import { bodiesOf, sizesOf } from "../store/bodies.js";
import { entriesById } from "../store/entries.js";
import { type Entry, entriesOf, type ReadPoint } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { entriesNamed, placeKey } from "./addressed.js";
import { folderOf, pathOf, withAncestorsOf } from "./paths.js";

/** What the references of an entry `e` belong to: its text, or, of a page without one, what it leads to. */
export const TEXT = sql`coalesce(e.body, md5(coalesce(e.props->'target', e.props->'computed')::text))`;
export const SOURCES = sql`e.kind in ('page', 'reusable')`;

/**
 * One look-up for each row before it, however many the planner expects: right after a large change it knows nothing of
 * the tables, and would compare everything with everything. Not for entries: that many indexes begin with the branch,
 * and the planner may take any of them where it expects a branch of one entry. Those are read together, into a map.
 */
export const each = (query: RawBuilder<unknown>) => sql`lateral (select * from (${query}) one offset 0)`;

type Source = Entry & { text: string };
type Row = Omit<ReferenceTable, "space">;

const SOURCES_AT_A_TIME = 500;
/** References that are looked up and written at a time, so that the memory of an import does not grow with the repository. */
const ROWS = 2000;

/**
 * Keeps what entries of a version refer to, once for each text of each entry. What is named by its path is looked up
 * now and remembered by its id: so a reference leads where it led when it was written, wherever its target moves.
 * `before` is the version that they replace: what a page referred to already still leads to the same.
 */
export async function recordReferences(
  ctx: Ctx,
  version: ReadPoint,
  sources: Many<{ id: string }>,
  before?: ReadPoint,
): Promise<void> {
  const open: Row[] = [];
  const keep = async (rows: Row[]) => {
    await lookUp(ctx, version, rows, before);
    await insert(ctx, version.space, rows);
  };
  await inBatches(unrecorded(ctx, version, sources), {
    sizes: (batch) => sizesOf(ctx, version.space, bodiesIn(batch)),
    read: (batch) => readSources(ctx, version, batch),
    write: async (sources, { lines, texts }) => {
      for (const source of sources) {
        const folder = folderOf(pathOf(lines.get(source.id) ?? [source]));
        const place = { source: source.id, folder, app: ctx.urls.app`/` };
        const text = texts.get(source.body ?? "");
        const references = text === undefined ? undefined : await ctx.work.run("referencesIn", text);
        const meanings = meaningsOf(source, references, place);
        for (const [ordinal, meaning] of meanings.entries())
          open.push({ source: source.id, body: source.text, ordinal, ...meaning });
        if (open.length >= ROWS) await keep(open.splice(0));
      }
    },
  });
  if (open.length > 0) await keep(open);
}

/** Those of the entries whose references are not kept yet. */
async function* unrecorded(
  ctx: Ctx,
  version: ReadPoint,
  entries: Many<{ id: string }>,
): AsyncGenerator<Source> {
  for await (const batch of batchesOf(entries, SOURCES_AT_A_TIME)) {
    const among = sql`e.id = any(${batch.map(({ id }) => id)}) and ${SOURCES}`;
    const { rows } =
      await sql<Source>`select * from (${entriesOf(version, among, sql`e.*, ${TEXT} as text`)}) e
      where e.text is not null and not exists (
        select 1 from reference r where r.space = ${version.space} and r.source = e.id and r.body = e.text)
      order by e.id`.execute(ctx.db);
    yield* rows;
  }
}

const bodiesIn = (sources: Source[]) => sources.map(({ body }) => body);

/** What is needed to read the references of sources. */
async function readSources(ctx: Ctx, version: ReadPoint, sources: Source[]) {
  const placed = sources.filter(({ git_path }) => git_path === null).map(({ id }) => id);
  const lines = await withAncestorsOf(ctx, version, placed);
  const bodies = bodiesIn(sources).filter((body) => body !== null);
  return { lines, texts: await bodiesOf(ctx, version.space, bodies) };
}

function meaningsOf(
  source: Source,
  references: Reference[] | undefined,
  place: Parameters<typeof meaningOf>[1],
): Meaning[] {
  if (references) return references.map((reference) => meaningOf(reference, place));
  if (source.kind !== "page") return [];
  const target = source.props.type === "link" ? source.props.target : undefined;
  const computed = source.props.type === "computed" ? source.props.computed : undefined;
  const dependencies = Object.values((computed?.dependencies ?? {}) as Record<string, { ref?: Ref }>);
  const depends = dependencies.flatMap(({ ref }) => (ref ? [meaningOfRef(ref, source.id)] : []));
  return [...(target ? [meaningOfRef(target, source.id)] : []), ...depends];
}

/** Finds the targets of rows that name them by path. */
async function lookUp(ctx: Ctx, version: ReadPoint, rows: Row[], before: ReadPoint | undefined) {
  const withPaths = rows.filter(({ path }) => path !== null);
  const sources = [...new Set(withPaths.map(({ source }) => source))];
  const known = before && (await targetsBefore(ctx, version, sources, before));
  for (const row of withPaths) row.target = known?.get(`${row.source} ${row.url}`) ?? null;
  const open = withPaths.filter(({ target }) => target === null);
  const places = new Map(open.map(placeOf).map((place) => [placeKey(place), place]));
  const found = await entriesNamed(ctx, version, [...places.values()]);
  for (const row of open) row.target = found.get(placeKey(placeOf(row)))?.id ?? null;
}

const placeOf = ({ target_space, path }: Row) => ({ space: target_space, path: path! });

/** What addresses of sources led to in the texts that they had before, as far as it is still there. */
async function targetsBefore(
  ctx: Ctx,
  version: ReadPoint,
  sources: string[],
  before: ReadPoint,
): Promise<Map<string, string>> {
  const had = [...(await entriesById(ctx, before, sources)).values()].filter(({ body }) => body !== null);
  if (had.length === 0) return new Map();
  const { rows } = await sql<{ source: string; url: string; target: string }>`
    with known as (select r.source, r.url, r.target, r.target_space from reference r
      join unnest(${had.map(({ id }) => id)}::text[], ${had.map(({ body }) => body)}::text[]) as b (source, body)
        on r.source = b.source and r.body = b.body
      where r.space = ${version.space} and r.path is not null and r.target is not null)
    select source, url, target from known
    where case when coalesce(target_space, ${version.space}) = ${version.space}
      then exists (${entriesOf(version, sql`e.id = known.target`, sql`1`)})
      else exists (${entriesOf({ branch: sql`known.target_space` }, sql`e.id = known.target`, sql`1`)}) end`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ source, url, target }) => [`${source} ${url}`, target]));
}

async function insert(ctx: Ctx, space: string, rows: Row[]) {
  await sql`insert into reference (space, source, body, ordinal, kind, url, path, anchor, target, target_space)
    select ${space}, r.source, r.body, r.ordinal, r.kind, r.url, r.path, r.anchor, r.target, r.target_space
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (source text, body text, ordinal int, kind text,
      url text, path text, anchor text, target text, target_space text)
    on conflict do nothing`.execute(ctx.db);
}
