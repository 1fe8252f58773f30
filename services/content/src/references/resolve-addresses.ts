import { posix } from "node:path";
import { type RawBuilder, sql } from "kysely";
import { relativeParts } from "../documents/addresses.js";
import type { Targets } from "../documents/targets.js";
import { type Entry, entriesOf, type ReadPoint } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { whenComplete } from "./backfill.js";
import { entriesAt } from "./paths.js";
import { each, SOURCES, TEXT } from "./record.js";

/**
 * What the relative addresses in the text of an entry lead to in a version; undefined when there are none, which costs
 * no query.
 */
export async function targetsIn(
  ctx: Ctx,
  version: ReadPoint,
  source: string,
  markdown: string,
): Promise<Targets | undefined> {
  const references = await ctx.work.run("referencesIn", markdown);
  if (!references.some(({ url }) => relativeParts(url))) return undefined;
  return (await targetsOfAll(ctx, version, [source])).get(source) ?? new Map();
}

/** What the relative addresses in the texts of many entries lead to, by their ids. */
export async function targetsOfAll(
  ctx: Ctx,
  version: ReadPoint,
  sources: string[],
): Promise<Map<string, Targets>> {
  if (sources.length === 0) return new Map();
  await whenComplete(ctx, version.space);
  const of = sql`e.id = any(${sources}) and ${SOURCES}`;
  const { rows } = await sql<PathLink>`${pathLinks(version, of)}`.execute(ctx.db);
  return targetsOfLinks(ctx, version, rows);
}

/** What relative addresses lead to that were read in a version, by the ids of the entries in whose texts they stand. */
export async function targetsOfLinks(
  ctx: Ctx,
  version: ReadPoint,
  links: PathLink[],
): Promise<Map<string, Targets>> {
  const paths = links.flatMap(({ entry, path }) => (entry || path === null ? [] : [path]));
  const found = await entriesAt(ctx, version, [...new Set(paths)]);
  const all = new Map<string, Targets>();
  for (const { source, sourcePath, url, path, entry } of links) {
    const written = relativeParts(url)?.path ?? "";
    const leads = entry ?? (path === null ? undefined : found.get(path));
    const outside = leads || sourcePath === null ? undefined : pathInRepository(sourcePath, written);
    if (!leads && outside === undefined) continue;
    const targets: Targets = all.get(source) ?? new Map();
    all.set(source, targets);
    if (leads) targets.set(written, { id: leads.id, kind: leads.kind });
    else if (outside !== undefined) targets.set(written, { kind: "repository", path: outside });
  }
  return all;
}

/** What is shown or included, and never a page of a host. */
const EMBEDDED = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp)$|^\.gitbook\//i;

/**
 * The file of the repository that a path means which leads to nothing in the space, from the folder of the content, out of
 * which it may lead; undefined for what only a page can show.
 */
export function pathInRepository(sourcePath: string, written: string): string | undefined {
  const path = written.startsWith("/")
    ? posix.normalize(written.slice(1))
    : posix.join(posix.dirname(sourcePath), written);
  return EMBEDDED.test(path) ? undefined : path;
}

/** A relative address as it is written, and what it leads to. */
export interface PathLink {
  /** The entry in whose text it stands, and the file of the repository that this is. */
  source: string;
  sourcePath: string | null;
  url: string;
  /** Null for one that leads out of the content. */
  path: string | null;
  entry: Entry | null;
}

/** The relative addresses in the texts of those entries `e` of a version that satisfy `where`, as a sub-query. */
export function pathLinks(
  version: ReadPoint<string | RawBuilder<string>>,
  where: RawBuilder<unknown>,
): RawBuilder<PathLink> {
  const of = entriesOf(version, where, sql`e.id, e.git_path, ${TEXT} as text`);
  const references = sql`select * from reference r
    where r.space = ${version.space} and r.source = e.id and r.body = e.text`;
  const target = entriesOf(version, sql`e.id = r.target`);
  return sql`select e.id as source, e.git_path as "sourcePath", r.url, r.path, row_to_json(t) as entry
    from (${of}) e cross join ${each(references)} r left join ${each(target)} t on true
    where (r.path is not null or r.kind = 'path') and r.target_space is null`;
}
