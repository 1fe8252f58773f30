import { SiteAudience } from "@octavo/shared/events/catalogue/sites";
import { emit } from "@octavo/shared/events/outbox";
import { variantUrl } from "../sites/addresses.js";
import type { Row as Site } from "../sites/queries.js";
import type { Ctx } from "../trpc.js";
import * as queries from "./queries.js";

type Audience = Pick<Site, "id" | "organization" | "visibility" | "published" | "basename">;

/**
 * Tells who reaches which space where: after every change of publication, visibility, addresses or membership.
 * Returns the ids of the spaces that the site shows.
 */
export async function tellAudience(ctx: Ctx, site: Audience): Promise<string[]> {
  const { id, organization, visibility, published } = site;
  const shown = await queries.shown(ctx, id);
  const spaces = shown.map((row) => ({ space: row.space, visibility, url: variantUrl(ctx, site, row) }));
  await emit(ctx, SiteAudience, id, { site: id, organization, published, spaces });
  return shown.map(({ space }) => space);
}

/** Tells that a deleted site shows nothing to anybody. */
export async function tellNobody(ctx: Ctx, { id, organization }: Audience): Promise<void> {
  await emit(ctx, SiteAudience, id, { site: id, organization, published: false, spaces: [] });
}
