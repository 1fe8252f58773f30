import type { Claims } from "../claims/claims.js";
import * as queries from "../store/redirects.js";
import type { Row as Site } from "../store/sites.js";
import * as structure from "../store/structure.js";
import type { Ctx } from "../trpc.js";
import { isContent, pathWithin, targetOf } from "./destinations.js";
import { formerPathsFor, redirectOf } from "./former.js";
import { keyOf, keysFor } from "./paths.js";
import type { SiteRedirect } from "./schema.js";
import { view } from "./view.js";

/** Redirects that are followed from one path before the reader is sent on. */
const MOST_HOPS = 20;

/** Where a path leads. */
export interface Led {
  /** The first of the redirects that lead from the path to the target. */
  redirect: SiteRedirect;
  /** An absolute address; undefined when what it was is not there for whoever asks. */
  target: string | undefined;
}

/** Who asks where a path leads. */
export interface Asked {
  /** What a visitor of the site claims, for whom it is asked. */
  claims?: Claims;
  /** How many segments of the path lead to what stands there now: former paths that are no longer lead nowhere. */
  taken?: number;
}

/**
 * Follows the redirects of a site from a path to where they end, and paths that the structure gave up to what they stood
 * for; undefined when none stands for the path.
 */
export async function follow(
  ctx: Ctx,
  site: Site,
  source: string,
  { claims, taken = 0 }: Asked = {},
): Promise<Led | undefined> {
  if (!(await structure.isRedirected(ctx, site))) return undefined;
  let led: Led | undefined;
  let path = source;
  for (let hop = 0; hop < MOST_HOPS; hop += 1) {
    const next =
      (await redirectFor(ctx, site, path, claims)) ??
      (await formerFor(ctx, site, path, { claims, taken: hop === 0 ? taken : 0 }));
    if (!next) break;
    led = { redirect: led?.redirect ?? next.redirect, target: next.target };
    const isOnward = !isContent(next.redirect.destination) && next.target !== undefined;
    const onward = isOnward ? pathWithin(ctx, site, next.target!) : undefined;
    if (onward === undefined) break;
    path = onward;
  }
  return led;
}

async function redirectFor(ctx: Ctx, site: Site, path: string, claims?: Claims): Promise<Led | undefined> {
  const row = await queries.findFirst(ctx, site.id, keysFor(keyOf(path)));
  if (!row) return undefined;
  const redirect = view(row);
  return { redirect, target: await targetOf(ctx, site, redirect, path, claims) };
}

async function formerFor(
  ctx: Ctx,
  site: Site,
  path: string,
  { claims, taken = 0 }: Asked,
): Promise<Led | undefined> {
  const paths = formerPathsFor(keyOf(path)).filter((one) => one.split("/").length > taken);
  const former = paths.length > 0 ? await queries.findFormer(ctx, site.id, paths) : undefined;
  if (!former) return undefined;
  const redirect = redirectOf(former, path);
  const below = { ...redirect, source: `${redirect.source}/*` };
  const target = await targetOf(ctx, site, below, path, claims);
  const now = target === undefined ? undefined : pathWithin(ctx, site, target);
  // What moved back stands there again: whatever is missing below it is not elsewhere.
  return now !== undefined && keyOf(now) === keyOf(path) ? undefined : { redirect, target };
}
