import { type RawBuilder, sql } from "kysely";
import { slugsMeantBy } from "../documents/addresses.js";
import { batchesOf, type Many } from "../store/batches.js";
import { entriesById } from "../store/entries.js";
import type { Entry, ReadPoint } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { entriesNamed, type PathTarget, pathTargetKey } from "./addressed.js";
import { withAncestorsOf } from "./paths.js";

/** Entries at a time. */
const BATCH = 500;

/**
 * Before entries of a version are replaced: references that found a page by where it lies, and have not noted which
 * page that is, note it while it lies there. Costs the references to what moves. What is known of the version is not read.
 */
export async function pinReferenceTargets(
  ctx: Ctx,
  version: ReadPoint,
  put: Many<Entry>,
  known: ReadonlyMap<string, Entry | undefined> = new Map(),
): Promise<void> {
  for await (const batch of batchesOf(put, BATCH)) {
    const ids = batch.map(({ id }) => id);
    const read = await entriesById(
      ctx,
      version,
      ids.filter((id) => !known.has(id)),
    );
    const before = (id: string) => known.get(id) ?? read.get(id);
    const moving = batch.filter((entry) => entry.kind === "page" && moves(before(entry.id), entry));
    await lockPages(
      ctx,
      version,
      moving.map(({ id }) => id),
    );
  }
}

/** The same for pages that move. */
async function lockPages(ctx: Ctx, version: ReadPoint, pages: string[]): Promise<void> {
  if (pages.length === 0) return;
  const places = [...(await withAncestorsOf(ctx, version, pages)).values()].map((line) =>
    line
      .map(({ slug }) => slug ?? "")
      .reverse()
      .join("/"),
  );
  const loose = await loosePlaces(ctx, version, places);
  const found = await entriesNamed(ctx, version, loose);
  const noted = loose.flatMap((place) => {
    const entry = found.get(pathTargetKey(place));
    return entry ? [{ ...place, id: entry.id }] : [];
  });
  if (noted.length > 0) await note(ctx, version, noted);
}

const moves = (was: Entry | undefined, is: Entry) =>
  was !== undefined &&
  was.slug !== null &&
  (was.slug !== is.slug || was.parent !== is.parent || was.git_path !== is.git_path);

/**
 * References that lead to the space of a version by where things lie: its own, and those of other spaces as far as they
 * see what is changed here, which is the primary content alone.
 */
const leadingHere = ({ space, branch }: ReadPoint) => ({
  inside: sql`r.space = ${space} and r.target_space is null`,
  addressed: sql`r.target_space = ${space}${branch === space ? sql`` : sql` and r.space = ${space}`}`,
});

/** Places at or below the given ones, of references that have not noted what they lead to. */
async function loosePlaces(ctx: Ctx, version: ReadPoint, places: string[]): Promise<PathTarget[]> {
  const { inside, addressed } = leadingHere(version);
  const below = sql`r.target is null
    and r.path >= p.place collate "C" and r.path < (p.place || chr(1114111)) collate "C"`;
  const { rows } = await sql<PathTarget>`select r.target_space as space, r.path
    from unnest(${places}::text[]) as p (place) join reference r on ${inside} and ${below}
    union select r.target_space, r.path
    from unnest(${places}::text[]) as p (place) join reference r on ${addressed} and ${below}`.execute(
    ctx.db,
  );
  const known = new Set(places);
  return rows.filter(({ space, path }) => {
    const slugs = space === null ? slugsMeantBy(path) : path.split("/");
    return slugs.some((_, index) => known.has(slugs.slice(0, index + 1).join("/")));
  });
}

async function note(ctx: Ctx, version: ReadPoint, noted: (PathTarget & { id: string })[]) {
  const { inside, addressed } = leadingHere(version);
  const set = (leading: RawBuilder<unknown>, of: typeof noted) =>
    sql`update reference r set target = n.id
    from jsonb_to_recordset(${JSON.stringify(of)}::jsonb) as n (path text, id text)
    where ${leading} and r.path = n.path and r.target is null`.execute(ctx.db);
  const [paths, addresses] = [
    noted.filter(({ space }) => space === null),
    noted.filter(({ space }) => space !== null),
  ];
  if (paths.length > 0) await set(inside, paths);
  if (addresses.length > 0) await set(addressed, addresses);
}
