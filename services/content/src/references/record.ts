import type { Ref } from "@octavo/markdown/document/refs";
import type { Reference } from "@octavo/markdown/links/references";
import { arrayOf } from "@octavo/shared/database/any-of";
import { post } from "@octavo/shared/database/posted";
import { type Argument, prepareStatement } from "@octavo/shared/database/prepare";
import { type RawBuilder, sql } from "kysely";
import type { ReferenceTable } from "../db/tables/links.js";
import { type Meaning, meaningOf, meaningOfRef } from "../documents/addresses.js";
import { batchesOf, inBatches, type Many } from "../store/batches.js";
import { bodiesOf, hashOf, sizesOf } from "../store/bodies.js";
import { entriesById } from "../store/entries.js";
import { prepareAt } from "../store/prepare-at.js";
import { type Entry, entriesOf, type ReadPoint } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { entriesNamed, pathTargetKey } from "./addressed.js";
import { folderOf, pathOf, withAncestorsOf } from "./paths.js";

/** What the references of an entry `e` belong to: its text, or, of a page without one, what it leads to. */
export const TEXT = sql`coalesce(e.body, md5(coalesce(e.props->'target', e.props->'computed')::text))`;
export const SOURCES = sql`e.kind in ('page', 'reusable')`;

/**
 * One look-up for each row before it, however many the planner expects: right after a large change it has no statistics of
 * the tables, and would compare everything with everything. Not for entries: that many indexes begin with the branch,
 * and the planner may take any of them where it expects a branch of one entry. Those are read together, into a map.
 */
export const each = (query: RawBuilder<unknown>) => sql`lateral (select * from (${query}) one offset 0)`;

type Source = Entry & { text: string };
type Row = Omit<ReferenceTable, "space">;

const SOURCES_AT_A_TIME = 500;
/** References that are looked up and written at a time, so that the memory of an import does not grow with the repository. */
const ROWS = 2000;

/** What those know who keep references, so that it is not read again. */
interface Given {
  /** The version that they replace. */
  before?: ReadPoint;
  /** Entries of that version, by ids; undefined is "not there". */
  known?: ReadonlyMap<string, Entry | undefined>;
  /** Texts of sources, by their ids. */
  texts?: ReadonlyMap<string, string>;
}

/**
 * Keeps what entries of a version refer to, once for each text of each entry. What is named by its path is looked up
 * now and remembered by its id: so a reference leads where it led when it was written, wherever its target moves.
 * What a page referred to already still leads to the same.
 */
export async function recordReferences(
  ctx: Ctx,
  version: ReadPoint,
  sources: Many<{ id: string }>,
  given: Given = {},
): Promise<void> {
  const open: Row[] = [];
  const keep = async (rows: Row[]) => {
    await lookUp(ctx, version, rows, given);
    await insert(ctx, version.space, rows);
  };
  await inBatches(unrecorded(ctx, version, sources, given), {
    sizes: (batch) => sizesOf(ctx, version.space, bodiesIn(batch)),
    read: (batch) => readSources(ctx, version, batch, given),
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

/** Those of the entries whose references are not kept yet, as far as that is known; of new texts it is not asked. */
async function* unrecorded(
  ctx: Ctx,
  version: ReadPoint,
  entries: Many<{ id: string } | Entry>,
  { texts }: Given,
): AsyncGenerator<Source> {
  for await (const batch of batchesOf(entries, SOURCES_AT_A_TIME)) {
    const fresh = batch.flatMap((entry) => (isNew(entry, texts) ? { ...entry, text: entry.body! } : []));
    yield* fresh;
    const others = batch.filter((entry) => !isNew(entry, texts)).map(({ id }) => id);
    if (others.length === 0) continue;
    const among = sql`e.id = any(${others}) and ${SOURCES}`;
    const { rows } =
      await sql<Source>`select * from (${entriesOf(version, among, sql`e.*, ${TEXT} as text`)}) e
      where e.text is not null and not exists (
        select 1 from reference r where r.space = ${version.space} and r.source = e.id and r.body = e.text)
      order by e.id`.execute(ctx.db);
    yield* rows;
  }
}

/** Whether a source comes with its text. */
function isNew(entry: { id: string } | Entry, texts: Given["texts"]): entry is Entry {
  const text = texts?.get(entry.id);
  return text !== undefined && "kind" in entry && entry.kind === "page" && entry.body === hashOf(text);
}

const bodiesIn = (sources: Source[]) => sources.map(({ body }) => body);

/** What is needed to read the references of sources. */
async function readSources(ctx: Ctx, version: ReadPoint, sources: Source[], { texts }: Given) {
  const placed = sources.filter(({ git_path }) => git_path === null);
  const lines = await withAncestorsOf(
    ctx,
    version,
    placed.map(({ id }) => id),
    placed,
  );
  const given = sources.filter((source) => isNew(source, texts));
  const asked = sources.filter((source) => !isNew(source, texts));
  const stored = await bodiesOf(
    ctx,
    version.space,
    bodiesIn(asked).filter((body) => body !== null),
  );
  for (const { id, text } of given) stored.set(text, texts!.get(id)!);
  return { lines, texts: stored };
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
async function lookUp(ctx: Ctx, version: ReadPoint, rows: Row[], given: Given) {
  const withPaths = rows.filter(({ path }) => path !== null);
  const sources = [...new Set(withPaths.map(({ source }) => source))];
  const known = await targetsBefore(ctx, version, sources, given);
  for (const row of withPaths) row.target = known.get(`${row.source} ${row.url}`) ?? null;
  const open = withPaths.filter(({ target }) => target === null);
  const places = new Map(open.map(placeOf).map((place) => [pathTargetKey(place), place]));
  const found = await entriesNamed(ctx, version, [...places.values()]);
  for (const row of open) row.target = found.get(pathTargetKey(placeOf(row)))?.id ?? null;
}

const placeOf = ({ target_space, path }: Row) => ({ space: target_space, path: path! });

/** What addresses of sources led to in the texts that they had before, as far as it is still there. */
async function targetsBefore(
  ctx: Ctx,
  version: ReadPoint,
  sources: string[],
  { before, known = new Map() }: Given,
): Promise<Map<string, string>> {
  if (!before) return new Map();
  const unknown = sources.filter((id) => !known.has(id));
  const replaced = [
    ...sources.flatMap((id) => known.get(id) ?? []),
    ...(await entriesById(ctx, before, unknown)).values(),
  ];
  const had = replaced.filter(({ body }) => body !== null);
  if (had.length === 0) return new Map();
  const rows = await targetsOf(ctx, version, {
    space: version.space,
    sources: had.map(({ id }) => id),
    bodies: had.map(({ body }) => body!),
  });
  return new Map(rows.map(({ source, url, target }) => [`${source} ${url}`, target]));
}

interface Before {
  space: string;
  sources: string[];
  bodies: string[];
}

const targetsOf = prepareAt<Before, { source: string; url: string; target: string }>(
  (at, arg) => sql`
    with known as (select r.source, r.url, r.target, r.target_space from reference r
      join unnest(${arrayOf(arg("sources"))}, ${arrayOf(arg("bodies"))}) as b (source, body)
        on r.source = b.source and r.body = b.body
      where r.space = ${arg("space")} and r.path is not null and r.target is not null)
    select source, url, target from known
    where case when coalesce(target_space, ${arg("space")}) = ${arg("space")}
      then exists (${entriesOf(at, sql`e.id = known.target`, sql`1`)})
      else exists (${entriesOf({ branch: sql`known.target_space` }, sql`e.id = known.target`, sql`1`)}) end`,
);

async function insert(ctx: Ctx, space: string, rows: Row[]) {
  if (rows.length > 0) await post(ctx.db, inserted({ space, rows: JSON.stringify(rows) }));
}

const inserted = prepareStatement(
  (arg: Argument<Record<"space" | "rows", string>>) => sql`
    insert into reference (space, source, body, ordinal, kind, url, path, anchor, target, target_space)
    select ${arg("space")}, r.source, r.body, r.ordinal, r.kind, r.url, r.path, r.anchor, r.target, r.target_space
    from jsonb_to_recordset(${arg("rows")}::jsonb) as r (source text, body text, ordinal int, kind text,
      url text, path text, anchor text, target text, target_space text)
    on conflict do nothing`,
);
