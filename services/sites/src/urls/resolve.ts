import { refuse } from "@octavo/shared/errors";
import { addressOf } from "../audience/addresses.js";
import { admit, type Visit } from "../audience/admit.js";
import { PREVIEW_PARAMETER } from "../preview/rules.js";
import * as releases from "../store/releases.js";
import type { Row as Site } from "../store/sites.js";
import * as structure from "../store/structure.js";
import type { Ctx } from "../trpc.js";
import { folderOf, readAddress } from "./address.js";
import { elsewhereFrom } from "./elsewhere.js";
import { placeAt } from "./place.js";
import { prefetchHead } from "./prefetch.js";
import type { FoundContentLookup } from "./schema.js";
import { siteAt } from "./site-at.js";

/**
 * What is at an address for a visitor, or where the visitor has to go instead; with `redirects` also where an address leads at
 * which there is no page. 404 when no site is there that is published and lets the visitor in; 403 as `admit`.
 */
export async function resolve(
  ctx: Ctx,
  url: string,
  visitor: Omit<Visit, "path" | "preview">,
  { redirects }: { redirects: boolean },
): Promise<FoundContentLookup> {
  const address = readAddress(url);
  const headOf = prefetchHead(ctx, url);
  const at = await siteAt(ctx, address);
  if (!at) return refuseUnknown();
  const { segments } = address;
  const { site, depth } = at;
  const path = segments.slice(depth).map(({ text }) => text);
  const preview = new URLSearchParams(address.search).get(PREVIEW_PARAMETER) ?? undefined;
  const admission = await admit(ctx, site, { ...visitor, path, preview });
  if (!admission) return refuseUnknown();
  if ("redirect" in admission) return admission;
  const { claims, shareKey } = admission;
  const root = depth + (shareKey === undefined ? 0 : 1);
  const tree = await structure.read(ctx, site);
  const place = placeAt(tree, segments.slice(root), claims ?? {});
  const revision = place && (await revisionShown(ctx, site, place.siteSpace.space, headOf));
  if (!place || revision === undefined) return refuseUnknown();
  const end = root + place.path.length;
  const page = segments.slice(end).map(({ raw }) => raw);
  const addressed = shareKey === undefined ? site : { ...site, share_key: shareKey };
  const own = addressOf(ctx, addressed)(place.path);
  const { space } = place.siteSpace;
  if (redirects && page.length > 0) {
    const below = segments.slice(root).map(({ raw }) => raw);
    const elsewhere = await elsewhereFrom(ctx, addressed, below, claims, {
      space,
      revision,
      root: own,
      page,
    });
    if (elsewhere) return elsewhere;
  }
  const { organization, id, version } = site;
  const { id: siteSpace, section } = place.siteSpace;
  const siteSection = section ?? undefined;
  // As literals: an object that is put together of others takes many times as long to make.
  const reader = {
    organization,
    site: id,
    siteSection,
    siteSpace,
    space,
    revision,
    claims,
    epoch: site.audience_epoch,
    preview: site.published ? undefined : (true as const),
    editLink: (await structure.showsEditLink(ctx, site, siteSpace)) ? (true as const) : undefined,
  };
  return {
    organization,
    site: id,
    siteSection,
    siteSpace,
    space,
    revision,
    version,
    siteBasePath: folderOf(segments.slice(0, root)),
    basePath: folderOf(segments.slice(0, end)),
    pathname: `/${page.join("/")}`,
    complete: place.complete,
    others: place.others,
    canonicalUrl: own + page.join("/"),
    shareKey,
    apiToken: await ctx.readerTokens.create(reader, ctx.clock()),
  };
}

/** The revision of a space that readers see; undefined when content has no such space in the site's organization. */
async function revisionShown(
  ctx: Ctx,
  { organization, release }: Site,
  id: string,
  headOf: ReturnType<typeof prefetchHead>,
): Promise<string | undefined> {
  const [space, pinned] = await Promise.all([headOf(id), releases.revisionsIn(ctx, release, [id])]);
  return space?.organization === organization ? (pinned.get(id) ?? space.revision) : undefined;
}

function refuseUnknown(): never {
  refuse("NOT_FOUND", "URL: no published content is there", { reason: "content_not_found" });
}
