import { found } from "@octavo/shared/errors";
import { loadSite } from "../../access/load-site.js";
import { addressedBy } from "../../audience/share-key.js";
import * as queries from "../../store/redirects.js";
import type { Row as Site } from "../../store/sites.js";
import type { Call, Ctx } from "../../trpc.js";
import { isContent, pathWithin, targetOf } from "../destinations.js";
import { formerPathsFor, redirectOf } from "../former.js";
import { keyOf, keysFor } from "../paths.js";
import type { GetBySource, SiteRedirect } from "../schema.js";
import { view } from "../view.js";

/** Redirects that are followed from one path before the reader is sent on. */
const MOST_HOPS = 20;

/**
 * Returns where a path leads that has no content, over as many redirects as it takes, so that the reader is sent on
 * once; a path that the structure gave up leads to what it stood for. 403 for guests, 404 when no redirect stands for
 * it, or it leads to what is not there for the caller.
 */
export async function getBySource({ ctx, input }: Call<typeof GetBySource>) {
  const site = await addressedBy(ctx, await loadSite(ctx, input, "site.view"), input.shareKey);
  let path = input.source;
  let redirect: SiteRedirect | undefined;
  let target: string | undefined;
  for (let hop = 0; hop < MOST_HOPS; hop += 1) {
    const next = (await redirectFor(ctx, site, path)) ?? (await formerFor(ctx, site, path));
    if (!next) break;
    redirect ??= next.redirect;
    target = next.target;
    const isOnward = !isContent(next.redirect.destination) && target !== undefined;
    const onward = isOnward ? pathWithin(ctx, site, target!) : undefined;
    if (onward === undefined) break;
    path = onward;
  }
  return { redirect: found(redirect, "Redirect"), target: found(target, "Redirect") };
}

async function redirectFor(ctx: Ctx, site: Site, path: string) {
  const row = await queries.findFirst(ctx, site.id, keysFor(keyOf(path)));
  if (!row) return undefined;
  const redirect = view(row);
  return { redirect, target: await targetOf(ctx, site, redirect, path) };
}

async function formerFor(ctx: Ctx, site: Site, path: string) {
  const former = await queries.findFormer(ctx, site.id, formerPathsFor(keyOf(path)));
  if (!former) return undefined;
  const redirect = redirectOf(former, path);
  const target = await targetOf(ctx, site, { ...redirect, source: `${redirect.source}/*` }, path);
  const now = target === undefined ? undefined : pathWithin(ctx, site, target);
  // What moved back stands there again: whatever is missing below it is not elsewhere.
  return now !== undefined && keyOf(now) === keyOf(path) ? undefined : { redirect, target };
}
