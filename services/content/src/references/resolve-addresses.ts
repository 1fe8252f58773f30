import { sql } from "kysely";
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
  const links = await pathLinks(ctx, version, sources);
  const paths = links.flatMap(({ entry, path }) => (entry ? [] : [path]));
  const found = await entriesAt(ctx, version, [...new Set(paths)]);
  const all = new Map<string, Targets>();
  for (const { source, url, path, entry } of links) {
    const leads = entry ?? found.get(path);
    if (!leads) continue;
    const targets = all.get(source) ?? new Map();
    all.set(source, targets);
    targets.set(relativeParts(url)?.path ?? "", { id: leads.id, kind: leads.kind });
  }
  return all;
}

/** A relative address as it is written, and what it leads to. */
interface PathLink {
  /** The entry in whose text it stands. */
  source: string;
  url: string;
  path: string;
  entry: Entry | null;
}

/** The relative addresses in the texts of entries. */
async function pathLinks(ctx: Ctx, version: ReadPoint, sources: string[]): Promise<PathLink[]> {
  const of = entriesOf(version, sql`e.id = any(${sources}) and ${SOURCES}`, sql`e.id, ${TEXT} as text`);
  const references = sql`select * from reference r
    where r.space = ${version.space} and r.source = e.id and r.body = e.text`;
  const target = entriesOf(version, sql`e.id = r.target`);
  const { rows } = await sql<PathLink>`select e.id as source, r.url, r.path, row_to_json(t) as entry
    from (${of}) e cross join ${each(references)} r left join ${each(target)} t on true
    where r.path is not null and r.target_space is null`.execute(ctx.db);
  return rows;
}
