import { refuse } from "@octavo/shared/errors";
import { addressOf, siteSpaceUrl } from "../audience/addresses.js";
import { admit, type Visit } from "../audience/admit.js";
import { PREVIEW_PARAMETER } from "../preview/rules.js";
import * as releases from "../store/releases.js";
import type { Row as Site } from "../store/sites.js";
import * as structure from "../store/structure.js";
import type { Call, Ctx } from "../trpc.js";
import { folderOf, readAddress } from "./address.js";
import { placeAt } from "./place.js";
import type { GetPublished, PublishedSiteContentLookup, ResolvePublished } from "./schema.js";
import { siteAt } from "./site-at.js";

// What readers see at an address: the inverse of the published addresses of sites and site spaces. A renderer that knows
// nothing else gets what it needs to read it.

/**
 * Resolves an address like `resolvePublished`, for a visitor whose JWT stands in the query; refuses like
 * `resolvePublished`.
 */
export function getPublished({ ctx, input }: Call<typeof GetPublished>) {
  const { url, redirectOnError, visitorAuthToken: jwtToken } = input;
  return resolve(ctx, url, { jwtToken, redirectOnError });
}

/**
 * Returns what a published site shows at an address, with a token that reads it, or where the visitor has to go instead.
 * 404 when no site is there that is published and lets the visitor in; which of these is not told.
 */
export function resolvePublished({ ctx, input }: Call<typeof ResolvePublished>) {
  const { url, redirectOnError, visitor } = input;
  return resolve(ctx, url, { ...visitor, redirectOnError });
}

/** Resolves like `resolvePublished`, for the process that shows sites to people. */
export const find = resolvePublished;

async function resolve(
  ctx: Ctx,
  url: string,
  visitor: Omit<Visit, "path" | "preview">,
): Promise<PublishedSiteContentLookup> {
  const { segments, ...address } = readAddress(url);
  const at = await siteAt(ctx, { segments, ...address });
  if (!at?.site.published) return refuseUnknown();
  const { site, depth } = at;
  const path = segments.slice(depth).map(({ text }) => text);
  const preview = new URL(url).searchParams.get(PREVIEW_PARAMETER) ?? undefined;
  const admission = await admit(ctx, site, { ...visitor, path, preview });
  if (!admission) return refuseUnknown();
  if ("redirect" in admission) return admission;
  const { claims, shareKey } = admission;
  const root = depth + (shareKey === undefined ? 0 : 1);
  const tree = await structure.read(ctx, site.id);
  const place = placeAt(tree, segments.slice(root), claims ?? {});
  const revision = place && (await revisionShown(ctx, site, place.siteSpace.space));
  if (!place || revision === undefined) return refuseUnknown();
  const { siteSpace, complete } = place;
  const { id, space } = siteSpace;
  const end = root + place.depth;
  const siteSection = siteSpace.section ?? undefined;
  const published = addressOf(ctx, { ...site, share_key: shareKey });
  const page = segments.slice(end).map(({ raw }) => raw);
  const token = {
    organization: site.organization,
    site: site.id,
    siteSection,
    siteSpace: id,
    space,
    revision,
    claims,
  };
  return {
    organization: site.organization,
    site: site.id,
    version: site.version,
    siteSection,
    siteSpace: id,
    space,
    revision,
    siteBasePath: folderOf(segments.slice(0, root)),
    basePath: folderOf(segments.slice(0, end)),
    pathname: `/${page.join("/")}`,
    complete,
    canonicalUrl: siteSpaceUrl(published, tree, siteSpace) + page.join("/"),
    shareKey,
    apiToken: await ctx.readerTokens.create({ ...token, epoch: site.audience_epoch }, ctx.clock()),
  };
}

/** The revision of a space that readers see; undefined when content has no such space in the site's organization. */
async function revisionShown(
  ctx: Ctx,
  { organization, release }: Site,
  id: string,
): Promise<string | undefined> {
  const { requestId, ip, signal } = ctx;
  // As the service itself: whoever asks need not be able to read the space.
  const [[space], pinned] = await Promise.all([
    ctx.content.lookup({ requestId, ip, signal }, [id]),
    releases.revisionsIn(ctx, release, [id]),
  ]);
  return space?.organization === organization ? (pinned.get(id) ?? space.revision) : undefined;
}

function refuseUnknown(): never {
  refuse("NOT_FOUND", "URL: no published content is there", { reason: "content_not_found" });
}
