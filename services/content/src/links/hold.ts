import { sql } from "kysely";
import { entriesById } from "../store/entries.js";
import type { Entry, Version } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { slugsMeantBy } from "./addresses.js";
import { entriesAt, linesOf } from "./paths.js";

/**
 * Before entries of a version are replaced: references that found a page by where it lies, and have not noted which
 * page that is, note it while it lies there. Costs the references to what moves. Answers the entries as they are.
 */
export async function holdReferences(ctx: Ctx, version: Version, put: Entry[]): Promise<Map<string, Entry>> {
  const before = await entriesById(
    ctx,
    version,
    put.map(({ id }) => id),
  );
  const moving = put.filter((entry) => entry.kind === "page" && moves(before.get(entry.id), entry));
  if (moving.length === 0) return before;
  const lines = await linesOf(
    ctx,
    version,
    moving.map(({ id }) => id),
  );
  const places = [...lines.values()].map((line) =>
    line
      .map(({ slug }) => slug ?? "")
      .reverse()
      .join("/"),
  );
  const paths = await loosePaths(ctx, version.space, places);
  const found = await entriesAt(ctx, version, paths);
  if (found.size > 0) await note(ctx, version.space, found);
  return before;
}

const moves = (was: Entry | undefined, is: Entry) =>
  was !== undefined &&
  was.slug !== null &&
  (was.slug !== is.slug || was.parent !== is.parent || was.git_path !== is.git_path);

/** Paths at or below the places, of references that have not noted what they lead to. */
async function loosePaths(ctx: Ctx, space: string, places: string[]): Promise<string[]> {
  const { rows } = await sql<{
    path: string;
  }>`select distinct r.path from unnest(${places}::text[]) as p (place)
    join reference r on r.space = ${space} and r.target is null
      and r.path >= p.place collate "C" and r.path < (p.place || chr(1114111)) collate "C"`.execute(ctx.db);
  const within = (path: string) => {
    const slugs = slugsMeantBy(path);
    return slugs.some((_, index) => known.has(slugs.slice(0, index + 1).join("/")));
  };
  const known = new Set(places);
  return rows.map(({ path }) => path).filter(within);
}

async function note(ctx: Ctx, space: string, found: Map<string, Entry>) {
  const ids = [...found.values()].map(({ id }) => id);
  await sql`update reference r set target = f.id from unnest(${[...found.keys()]}::text[], ${ids}::text[]) as f (path, id)
    where r.space = ${space} and r.path = f.path and r.target is null`.execute(ctx.db);
}
