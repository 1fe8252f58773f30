import { encodeCursor } from "@octavo/shared/contracts/cursor";
import { badCursor, decodeCursor } from "@octavo/shared/cursor";
import { repositoryTree } from "../../pages/repository-links.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import type { Ctx } from "../../trpc.js";
import { hydrateLinks } from "./hydrate.js";
import { resolveLinkStatus } from "./link-status.js";
import * as queries from "./queries.js";
import { linkView } from "./view.js";

interface Listing {
  /** The page whose links are listed; all pages' when absent. */
  pageId?: string;
  page?: string;
  limit: number;
  status?: queries.Status;
  brokenContext?: "change-request" | "space";
}

/** Lists the links of a version or of one page with their states, page by page, with counts over all of them. */
export async function listLinks(ctx: Ctx, scope: ResolvedTarget, listing: Listing) {
  const { page, limit, brokenContext } = listing;
  const [source, ordinal] = page === undefined ? ["", -1] : decodeCursor(page, 2);
  if (typeof source !== "string" || !Number.isSafeInteger(ordinal)) badCursor();
  const tree = await repositoryTree(ctx, scope.space);
  const scan = { version: scope.version, page: listing.pageId, app: ctx.urls.app`/`, tree };
  const { resolved, known, counts } = await resolveLinkStatus(ctx, scan);
  const filter: queries.Wanted = {
    status: brokenContext ? "broken" : listing.status,
    ...(brokenContext && { known: { keys: known, take: brokenContext === "space" ? "only" : "without" } }),
  };
  const rows =
    limit === 0 ? [] : await queries.linksAfter(ctx, resolved, filter, [source, Number(ordinal)], limit + 1);
  const items = rows.slice(0, limit);
  const surroundings = await hydrateLinks(
    ctx,
    scope,
    items.map(({ source }) => ({ space: scope.space, id: source })),
    items,
  );
  const around = { ...surroundings, tree };
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
