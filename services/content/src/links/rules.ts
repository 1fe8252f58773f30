import { found } from "@octavo/shared/errors";
import { badCursor, decodeCursor, encodeCursor } from "@octavo/shared/paginate";
import { type RawBuilder, sql } from "kysely";
import { type Scope, scopeOf, type Target } from "../content/scope.js";
import type { Entry, Version } from "../store/version.js";
import type { Call, Ctx } from "../trpc.js";
import { filesMeantBy } from "./addresses.js";
import { whenComplete } from "./backfill.js";
import { judge } from "./judge.js";
import { entriesAt, linesOf, pathOf } from "./paths.js";
import * as queries from "./queries.js";
import type {
  ListChangeRequestLinks,
  ListFileBacklinks,
  ListLinks,
  ListPageBacklinks,
  ListPageLinks,
} from "./schema.js";
import { surroundingsOf } from "./surroundings.js";
import { linkView, locationOf } from "./view.js";

/** What the pages and reusable contents of a version refer to. */
export async function links({ ctx, input }: Call<typeof ListLinks>) {
  return listLinks(ctx, await scopeFor(ctx, input), sql`true`, input);
}

/** The same of a change request; `brokenContext` tells what it broke from what was broken before. */
export async function changeRequestLinks({ ctx, input }: Call<typeof ListChangeRequestLinks>) {
  return listLinks(ctx, await scopeFor(ctx, input), sql`true`, input);
}

/** What one page refers to. */
export async function pageLinks({ ctx, input }: Call<typeof ListPageLinks>) {
  const scope = await scopeFor(ctx, input);
  await lineOf(ctx, scope.version, input.pageId, "page");
  return listLinks(ctx, scope, sql`e.id = ${input.pageId}`, input);
}

/** What refers to a page. */
export async function pageBacklinks({ ctx, input }: Call<typeof ListPageBacklinks>) {
  const scope = await scopeFor(ctx, input);
  return listBacklinks(ctx, scope, await lineOf(ctx, scope.version, input.pageId, "page"), input);
}

/** What refers to a file. */
export async function fileBacklinks({ ctx, input }: Call<typeof ListFileBacklinks>) {
  const scope = await scopeFor(ctx, input);
  return listBacklinks(ctx, scope, await lineOf(ctx, scope.version, input.fileId, "file"), input);
}

async function scopeFor(ctx: Ctx, target: Target): Promise<Scope> {
  const scope = await scopeOf(ctx, target);
  await whenComplete(ctx, scope.space);
  return scope;
}

async function lineOf(ctx: Ctx, version: Version, id: string, kind: Entry["kind"]): Promise<Entry[]> {
  const line = (await linesOf(ctx, version, [id])).get(id);
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

async function listLinks(ctx: Ctx, scope: Scope, sources: RawBuilder<unknown>, listing: Listing) {
  const { page, limit, brokenContext } = listing;
  const [source, ordinal] = page === undefined ? ["", -1] : decodeCursor(page, 2);
  if (typeof source !== "string" || !Number.isSafeInteger(ordinal)) badCursor();
  const scan = { version: scope.version, sources, app: ctx.urls.app`/` };
  const { settled, known, counts } = await judge(ctx, scan, listing.pageId);
  const filter: queries.Wanted = {
    status: brokenContext ? "broken" : listing.status,
    ...(brokenContext && { known: { keys: known, take: brokenContext === "space" ? "only" : "without" } }),
  };
  const rows =
    limit === 0 ? [] : await queries.linksAfter(ctx, settled, filter, [source, Number(ordinal)], limit + 1);
  const items = rows.slice(0, limit);
  const around = await surroundingsOf(
    ctx,
    scope,
    items.map(({ source }) => source),
    items,
  );
  const last = items.at(-1);
  return {
    items: items.map((link) => linkView(around, link)),
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
  scope: Scope,
  line: Entry[],
  { page, limit }: { page?: string; limit: number },
) {
  const after = page === undefined ? "" : decodeCursor(page, 1)[0]!;
  if (typeof after !== "string") badCursor();
  const referring = queries.referring(scope.version, line[0]!.id, await pathsTo(ctx, scope.version, line));
  const ids = limit === 0 ? [] : await queries.backlinksAfter(ctx, referring, after, limit + 1);
  const items = ids.slice(0, limit);
  const whole = page === undefined && ids.length <= limit && limit > 0;
  const count = whole ? items.length : await queries.countBacklinks(ctx, referring);
  const around = await surroundingsOf(ctx, scope, items);
  return {
    items: items.flatMap((id) => locationOf(around, id) ?? []),
    count,
    ...(ids.length > limit && items.length > 0 && { next: { page: encodeCursor([items.at(-1)!]) } }),
  };
}

/** The paths that references without an id use, and that mean this entry. */
async function pathsTo(ctx: Ctx, version: Version, line: Entry[]): Promise<string[]> {
  const bySlugs = [pathOf([{ ...line[0]!, git_path: null }, ...line.slice(1)])];
  const places = [...new Set([pathOf(line), ...bySlugs].flatMap(formsOf))];
  const used = await queries.pathsAround(ctx, { space: version.space, version, places });
  const meant = await entriesAt(ctx, version, used);
  return used.filter((path) => meant.get(path)?.id === line[0]!.id);
}

/** All ways to write the path of a file. */
function formsOf(file: string): string[] {
  const plain = file.replace(/(?:^|\/)README\.md$/, "").replace(/\.md$/, "");
  return [file, plain, ...filesMeantBy(plain), `${plain}.markdown`, `${plain}/index.md`];
}
