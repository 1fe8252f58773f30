import type { Version } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";

/** What a scan takes to be read part by part, and what it comes to. */
interface Judgement {
  paths: string[];
  ids: string[];
  /** Keys of the links that are broken in the primary content that a change request stands on. */
  known: string[];
  counts: queries.Counts;
}

/**
 * Goes over all references of a scan: those of a page, or of a whole version. A revision never changes, so that is
 * done once for each, and again only when it was not asked for in a long time.
 */
export async function judge(ctx: Ctx, scan: queries.Scan, page?: string) {
  const { revision, space } = scan.version;
  const key = ["links", space, revision, page].join(" ");
  const kept = ctx.cache.get(key)?.value as Judgement | undefined;
  const judgement = kept ?? (await read(ctx, scan));
  if (!kept) ctx.cache.set(key, { revision, value: judgement }, { size: sizeOf(judgement) });
  const { paths, ids, known, counts } = judgement;
  return { settled: { ...scan, paths, ids }, known, counts };
}

const sizeOf = ({ paths, ids, known }: Judgement) =>
  [...paths, ...ids, ...known].reduce((sum, text) => sum + 50 + 2 * text.length, 1000);

async function read(ctx: Ctx, scan: queries.Scan): Promise<Judgement> {
  const settled = await queries.settle(ctx, scan);
  const known = await brokenInBase(ctx, scan);
  const counts = await queries.countLinks(ctx, settled, known);
  return { paths: settled.paths, ids: settled.ids, known, counts };
}

async function brokenInBase(ctx: Ctx, { version, ...scan }: queries.Scan): Promise<string[]> {
  if (!version.base) return [];
  const { branch, seq } = version.base;
  const base: Version = { space: version.space, branch, revision: "", seq };
  return queries.brokenKeys(ctx, await queries.settle(ctx, { ...scan, version: base }));
}
