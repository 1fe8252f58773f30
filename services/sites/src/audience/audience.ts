import { SiteAudience } from "@octavo/shared/contracts/events/sites";
import { emit } from "@octavo/shared/events/outbox";
import type { SiteVisibility } from "../db/database.js";
import * as publishingAuth from "../store/publishing-auth.js";
import * as releases from "../store/releases.js";
import * as shareLinks from "../store/share-links.js";
import { epochOf, type Row as Site } from "../store/sites.js";
import * as structure from "../store/structure.js";
import { isShown, type SiteSpace, sectionOf, type Tree } from "../tree/tree.js";
import type { Ctx } from "../trpc.js";
import { addressOf, siteSpaceUrl, siteUrl } from "./addresses.js";

type Addressed = "basename" | "proxy" | "hostname" | "hostname_verified_at";
export type Audience = Pick<Site, "id" | "organization" | "visibility" | "published" | "release" | Addressed>;

/**
 * Emits who reaches which space where: after every change of publication, visibility, addresses, membership, or of how
 * the site finds out who its visitors are.
 * Returns the ids of the spaces that the site shows, and that of the event.
 */
export async function emitSiteAudience(
  ctx: Ctx,
  site: Audience,
  tree?: Tree,
): Promise<{ spaces: string[]; event: string }> {
  const { id, organization, visibility, published } = site;
  const pinned = await releases.revisionsIn(ctx, site.release);
  const spaces = audienceOf(ctx, site, tree ?? (await structure.current(ctx, id))).map((row) => ({
    ...row,
    revision: pinned.get(row.space),
  }));
  const visitorAuth = visibility === "visitor-auth" ? await visitorAuthOf(ctx, id) : undefined;
  const keys = await shareLinks.activeHashes(ctx, id);
  const epoch = await epochOf(ctx, id);
  const hostname = (site.hostname_verified_at !== null && site.hostname) || undefined;
  const links = keys.length > 0 ? { root: siteUrl(ctx, site), keys } : undefined;
  const event = await emit(ctx, SiteAudience, id, {
    site: id,
    organization,
    published,
    visitorAuth,
    shareLinks: links,
    hostname,
    epoch,
    spaces,
  });
  return { spaces: spaces.map(({ space }) => space), event };
}

/** Who reaches which space of a site where, in the order of the site. */
export function audienceOf(ctx: Ctx, site: Audience, tree: Tree) {
  const address = addressOf(ctx, site);
  return tree.siteSpaces
    .filter(isShown)
    .toSorted((one, other) => one.position - other.position)
    .map((row) => ({
      space: row.space,
      visibility: visibilityOf(site, tree, row),
      url: siteSpaceUrl(address, tree, row),
      ...conditionsOn(tree, row),
    }));
}

/** What visitors have to meet to be shown a site space: its own condition, and that of its section. */
function conditionsOn(tree: Tree, row: SiteSpace): { conditions?: string[] } {
  const conditions = [sectionOf(tree, row)?.condition, row.condition].filter(
    (one) => typeof one === "string",
  );
  return conditions.length > 0 ? { conditions } : {};
}

/** What is shown on a condition is hidden from visitors who cannot prove that they meet it, however open the site is. */
function visibilityOf({ visibility }: Audience, tree: Tree, row: SiteSpace): SiteVisibility {
  const isConditional = conditionsOn(tree, row).conditions !== undefined;
  return isConditional && (visibility === "public" || visibility === "unlisted")
    ? "visitor-auth"
    : visibility;
}

/** A site whose key nobody has seen yet has the backend that it will start with. */
async function visitorAuthOf(ctx: Ctx, site: string) {
  const auth = await publishingAuth.find(ctx, site);
  return { backend: auth?.backend ?? "custom", integration: auth?.integration ?? undefined };
}

/** Emits that a deleted site shows nothing to anybody. */
export async function emitAudienceCleared(
  ctx: Ctx,
  { id, organization }: Pick<Site, "id" | "organization">,
): Promise<void> {
  await emit(ctx, SiteAudience, id, { site: id, organization, published: false, spaces: [] });
}
