import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { loadSite, lockSite } from "../access/load-site.js";
import type { OneSite } from "../access/schema.js";
import { awaitContent } from "../audience/await-content.js";
import { setPublished } from "../audience/publication.js";
import { addressedBy } from "../audience/share-key.js";
import { customizationsOf } from "../customization/settings.js";
import { asReadersSee, see } from "../site-spaces/seen.js";
import { view } from "../sites/view.js";
import { view as viewStructure } from "../structure/view.js";
import type { Call } from "../trpc.js";
import type { Published } from "./schema.js";

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
 * published, unless the caller sees a preview.
 */
export async function getPublished({ ctx, input }: Call<typeof Published>) {
  const loaded = await loadSite(ctx, input, "site.view");
  const isPreview = ctx.caller.kind === "reader" && ctx.caller.preview === true;
  if (!loaded.published && !isPreview)
    refuse("NOT_FOUND", "Site: is not published", { reason: "not_published" });
  const site = await addressedBy(ctx, loaded, input.shareKey);
  // A preview is seen at the addresses that the site will have.
  const seen = await asReadersSee(ctx, await see(ctx, { ...site, published: true }));
  const shown = seen.tree.siteSpaces.filter(({ space }) => seen.spaces.has(space)).map(({ id }) => id);
  return {
    object: "published-content-site" as const,
    site: view(ctx, site),
    structure: viewStructure(seen),
    customizations: await customizationsOf(ctx, site, shown),
    scripts: [],
  };
}
