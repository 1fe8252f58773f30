import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { emit } from "@octavo/shared/events/outbox";
import * as publishingAuth from "../store/publishing-auth.js";
import * as shareLinks from "../store/share-links.js";
import * as queries from "../store/site-spaces.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import { siteUrl, variantUrl } from "./addresses.js";

type Audience = Pick<Site, "id" | "organization" | "visibility" | "published" | "basename">;

/**
 * Tells who reaches which space where: after every change of publication, visibility, addresses, membership, or of how
 * the site finds out who its visitors are.
 * Returns the ids of the spaces that the site shows.
 */
export async function emitSiteAudience(ctx: Ctx, site: Audience): Promise<string[]> {
  const { id, organization, visibility, published } = site;
  const shown = await queries.shown(ctx, id);
  const spaces = shown.map((row) => ({ space: row.space, visibility, url: variantUrl(ctx, site, row) }));
  const visitorAuth = visibility === "visitor-auth" ? await visitorAuthOf(ctx, id) : undefined;
  const keys = await shareLinks.activeHashes(ctx, id);
  const links = keys.length > 0 ? { root: siteUrl(ctx, site), keys } : undefined;
  await emit(ctx, SiteAudience, id, {
    ...{ site: id, organization, published, visitorAuth, shareLinks: links, spaces },
  });
  return shown.map(({ space }) => space);
}

/** A site whose key nobody has seen yet has the backend that it will start with. */
const visitorAuthOf = async (ctx: Ctx, site: string) => ({
  backend: (await publishingAuth.find(ctx, site))?.backend ?? "custom",
});

/** Tells that a deleted site shows nothing to anybody. */
export async function emitAudienceCleared(ctx: Ctx, { id, organization }: Audience): Promise<void> {
  await emit(ctx, SiteAudience, id, { site: id, organization, published: false, spaces: [] });
}
