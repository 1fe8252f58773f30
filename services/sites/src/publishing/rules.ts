import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { isKnownTag, NOT_MODIFIED, REUSABLE_HEADER } from "@octavo/shared/rest/not-modified";
import { lockSite } from "../access/load-site.js";
import type { OneSite } from "../access/schema.js";
import { awaitContent } from "../audience/await-content.js";
import { setPublished } from "../audience/publication.js";
import { view } from "../sites/view.js";
import type { Call } from "../trpc.js";
import { makeProfile, profileForVisitors } from "./profile.js";
import type { Published, PublishedContentSite } from "./schema.js";

// A published site is reachable by its audience; an unpublished one keeps all its settings.

/**
 * Publishes a site; 400 when it shows no space, 403 for who may not decide who sees its spaces, 404 for strangers or
 * an unknown site.
 */
export async function publish({ ctx, input }: Call<typeof OneSite>) {
  const { site, event } = await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.publish", ({ published }) => !published);
    if (site.site_spaces === 0)
      refuse("BAD_REQUEST", "Site: has no space to publish", { reason: "site_empty" });
    return { site, event: site.published ? undefined : await setPublished(ctx, site, true) };
  });
  await awaitContent(ctx, event);
  return view(ctx, { ...site, published: true });
}

/** Takes a site offline; 404 for strangers or an unknown site, 403 for who may not create in the organization. */
export async function unpublish({ ctx, input }: Call<typeof OneSite>) {
  const { site, event } = await transact(ctx, async (ctx) => {
    const site = await lockSite(ctx, input, "site.publish");
    return { site, event: site.published ? await setPublished(ctx, site, false) : undefined };
  });
  await awaitContent(ctx, event);
  return view(ctx, { ...site, published: false });
}

/**
 * Returns all that a published site shows, with the share key in its addresses; 403 for guests, 404 when it is not
 * published, unless the caller sees a preview. To visitors with a tag by which they ask again.
 */
export async function getPublished({ ctx, input }: Call<typeof Published>): Promise<PublishedContentSite> {
  const { caller, requested, reply } = ctx;
  if (caller.kind !== "reader" || caller.preview) return makeProfile(ctx, input);
  const { json, etag } = await profileForVisitors(ctx, input, caller);
  // What stands for the profile is the profile as bytes.
  if (requested === undefined) return json.parse() as PublishedContentSite;
  Object.assign(reply.headers, {
    etag,
    [REUSABLE_HEADER]: "1",
    "cache-control": "private, no-cache",
    vary: "authorization",
  });
  if (isKnownTag(requested.ifNoneMatch, etag)) throw NOT_MODIFIED;
  return json as never;
}
