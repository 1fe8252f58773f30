import { createHash } from "node:crypto";
import { baseOf, type Version } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import { readableSpaces } from "./readable.js";

/** A scan of what a revision names: only that stays the same. */
type StatusScan = Omit<queries.Scan, "readable" | "version"> & { version: Version };

/** What a scan takes to be read part by part, and what it comes to. */
interface LinkStatus extends queries.Found {
  /** Keys of the links that are broken in the primary content that a change request stands on. */
  known: string[];
  counts: queries.Counts;
}

/**
 * Goes over all references of a scan: those of a page, or of a whole version. A revision never changes, so that is
 * done once for each, and again only when it was not asked for in a long time, or when a space that it leads to has
 * moved on. Callers who may read the same of these spaces share what was found.
 */
export async function resolveLinkStatus(ctx: Ctx, { version, ...within }: StatusScan) {
  const { revision, space } = version;
  const elsewhere = await readableOtherSpaces(ctx, version);
  const scan = { ...within, version, readable: elsewhere.map(({ id }) => id) };
  const around = [elsewhere.map((row) => row.revision), within.tree];
  const heads = createHash("sha256").update(JSON.stringify(around));
  const key = ["links", space, revision, within.page, heads.digest("base64url")].join(" ");
  const kept = ctx.cache.get(key)?.value as LinkStatus | undefined;
  const status = kept ?? (await read(ctx, scan));
  if (!kept)
    ctx.cache.set(
      key,
      { revision, value: status },
      { size: sizeOf([...Object.entries(status.found).flat(), ...status.hosted, ...status.known]) },
    );
  const { found, hosted, known, counts } = status;
  return { resolved: { ...scan, found, hosted }, known, counts };
}

/** The other spaces that a version leads to, as far as the caller may read them. */
async function readableOtherSpaces(ctx: Ctx, { space, revision }: Version) {
  const key = ["spaces", space, revision].join(" ");
  const kept = ctx.cache.get(key)?.value as string[] | undefined;
  const otherSpaces = kept ?? (await queries.spacesReferredTo(ctx, space));
  if (!kept) ctx.cache.set(key, { revision, value: otherSpaces }, { size: sizeOf(otherSpaces) });
  return readableSpaces(ctx, otherSpaces);
}

const sizeOf = (texts: string[]) => texts.reduce((sum, text) => sum + 50 + 2 * text.length, 1000);

async function read(ctx: Ctx, scan: queries.Scan): Promise<LinkStatus> {
  const resolved = await queries.resolveTargets(ctx, scan);
  const known = await brokenInBase(ctx, scan);
  const counts = await queries.countLinks(ctx, resolved, known);
  return { found: resolved.found, hosted: resolved.hosted, known, counts };
}

async function brokenInBase(ctx: Ctx, { version, ...scan }: queries.Scan): Promise<string[]> {
  const base = baseOf(version);
  if (!base) return [];
  return queries.brokenKeys(ctx, await queries.resolveTargets(ctx, { ...scan, version: base }));
}
