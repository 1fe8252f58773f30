import { encodeCursor } from "@octavo/shared/contracts/cursor";
import { badCursor, decodeCursor } from "@octavo/shared/cursor";
import { found } from "@octavo/shared/errors";
import { filesMeantBy } from "../../documents/addresses.js";
import type { Located } from "../../references/addressed.js";
import { whenComplete } from "../../references/backfill.js";
import { entriesAt, pathOf, withAncestorsOf } from "../../references/paths.js";
import { type ResolvedTarget, resolveTarget, type Target } from "../../revisions/target.js";
import type { Entry, Version } from "../../store/version.js";
import type { Call, Ctx } from "../../trpc.js";
import * as backlinks from "./backlinks.js";
import { hydrateLinks } from "./hydrate.js";
import { resolveLinkStatus } from "./link-status.js";
import * as queries from "./queries.js";
import { readableSpaces } from "./readable.js";
import type {
  ListChangeRequestLinks,
  ListFileBacklinks,
  ListLinks,
  ListPageBacklinks,
  ListPageLinks,
} from "./schema.js";
import { linkView, locationOf } from "./view.js";

/**
 * Lists what the pages and reusable contents of a version refer to. Of a change request, `brokenContext` tells what it
 * broke from what was broken before.
 */
export async function list({ ctx, input }: Call<typeof ListLinks | typeof ListChangeRequestLinks>) {
  return listLinks(ctx, await scopeFor(ctx, input), input);
}

/** Lists what one page refers to; 404 when there is no such page. */
export async function listOfPage({ ctx, input }: Call<typeof ListPageLinks>) {
  const scope = await scopeFor(ctx, input);
  await lineOf(ctx, scope.version, input.pageId, "page");
  return listLinks(ctx, scope, input);
}

/** Lists what refers to a page; 404 when there is no such page. */
export async function pageBacklinks({ ctx, input }: Call<typeof ListPageBacklinks>) {
  const scope = await scopeFor(ctx, input);
  return listBacklinks(ctx, scope, await lineOf(ctx, scope.version, input.pageId, "page"), input);
}

/** Lists what refers to a file; 404 when there is no such file. */
export async function fileBacklinks({ ctx, input }: Call<typeof ListFileBacklinks>) {
  const scope = await scopeFor(ctx, input);
  return listBacklinks(ctx, scope, await lineOf(ctx, scope.version, input.fileId, "file"), input);
}

async function scopeFor(ctx: Ctx, target: Target): Promise<ResolvedTarget> {
  const scope = await resolveTarget(ctx, target);
  await whenComplete(ctx, scope.space);
  return scope;
}

async function lineOf(ctx: Ctx, version: Version, id: string, kind: Entry["kind"]): Promise<Entry[]> {
  const line = (await withAncestorsOf(ctx, version, [id])).get(id);
  return found(line?.[0]?.kind === kind ? line : undefined, kind === "page" ? "Page" : "File");
}

interface Listing {
  /** The page whose links are listed; all pages' when absent. */
  pageId?: string;
  page?: string;
  limit: number;
  status?: queries.Status;
  brokenContext?: "change-request" | "space";
}

async function listLinks(ctx: Ctx, scope: ResolvedTarget, listing: Listing) {
  const { page, limit, brokenContext } = listing;
  const [source, ordinal] = page === undefined ? ["", -1] : decodeCursor(page, 2);
  if (typeof source !== "string" || !Number.isSafeInteger(ordinal)) badCursor();
  const scan = { version: scope.version, page: listing.pageId, app: ctx.urls.app`/` };
  const { settled, known, counts } = await resolveLinkStatus(ctx, scan);
  const filter: queries.Wanted = {
    status: brokenContext ? "broken" : listing.status,
    ...(brokenContext && { known: { keys: known, take: brokenContext === "space" ? "only" : "without" } }),
  };
  const rows =
    limit === 0 ? [] : await queries.linksAfter(ctx, settled, filter, [source, Number(ordinal)], limit + 1);
  const items = rows.slice(0, limit);
  const around = await hydrateLinks(
    ctx,
    scope,
    items.map(({ source }) => ({ space: scope.space, id: source })),
    items,
  );
  const last = items.at(-1);
  return {
    items: items.map((link) => linkView(around, scope.space, link)),
    count: countOf(counts, listing),
    ...(rows.length > limit && last && { next: { page: encodeCursor([last.source, last.ordinal]) } }),
    stats: {
      total: counts.total,
      broken: {
        total: counts.broken,
        ...(scope.changeRequest && { changeRequest: counts.brokenHere }),
      },
    },
  };
}

function countOf(
  { total, broken, inApp, brokenHere }: queries.Counts,
  { status, brokenContext }: Listing,
): number {
  if (brokenContext) return brokenContext === "change-request" ? brokenHere : broken - brokenHere;
  if (status === undefined) return total;
  if (status === "ok") return total - broken - inApp;
  return status === "broken" ? broken : inApp;
}

async function listBacklinks(
  ctx: Ctx,
  scope: ResolvedTarget,
  line: Entry[],
  { page, limit }: { page?: string; limit: number },
) {
  const [space, id] = page === undefined ? ["", ""] : decodeCursor(page, 2);
  if (typeof space !== "string" || typeof id !== "string") badCursor();
  const referred = await referredAt(ctx, scope.version, line);
  const others = await readableSpaces(ctx, await backlinks.spacesReferring(ctx, referred));
  const referring = backlinks.referring(
    referred,
    others.map((other) => other.id),
  );
  const after = { space, id };
  const rows = limit === 0 ? [] : await backlinks.backlinksAfter(ctx, referring, after, limit + 1);
  const items = rows.slice(0, limit);
  const whole = page === undefined && rows.length <= limit && limit > 0;
  const count = whole ? items.length : await backlinks.countBacklinks(ctx, referring);
  const located = items.map((item): Located => ({ ...item, space: item.space || scope.space }));
  const around = await hydrateLinks(ctx, scope, located);
  const last = items.at(-1);
  return {
    items: located.flatMap((item) => locationOf(around, item) ?? []),
    count,
    ...(rows.length > limit && last && { next: { page: encodeCursor([last.space, last.id]) } }),
  };
}

/** An entry with the paths that references without an id use, and that mean it. */
async function referredAt(ctx: Ctx, version: Version, line: Entry[]): Promise<backlinks.Referred> {
  const [entry] = line as [Entry];
  const bySlugs = pathOf([{ ...entry, git_path: null }, ...line.slice(1)]);
  const places = [...new Set([pathOf(line), bySlugs].flatMap(formsOf))];
  const used = await backlinks.pathsAround(ctx, version, places);
  const meant = await entriesAt(ctx, version, used);
  const paths = used.filter((path) => meant.get(path)?.id === entry.id);
  return { version, id: entry.id, paths, addresses: entry.kind === "page" ? addressesOf(line) : [] };
}

/** What an address of the application may name a page by. */
const addressesOf = (line: Entry[]): string[] => [
  line[0]!.id,
  line
    .map(({ slug }) => slug ?? "")
    .reverse()
    .join("/"),
];

/** All ways to write the path of a file. */
function formsOf(file: string): string[] {
  const plain = file.replace(/(?:^|\/)README\.md$/, "").replace(/\.md$/, "");
  return [file, plain, ...filesMeantBy(plain), `${plain}.markdown`, `${plain}/index.md`];
}
