import { SiteChanged } from "@octavo/shared/contracts/events/sites";
import { emit } from "@octavo/shared/events/outbox";
import * as queries from "../store/publishing-auth.js";
import type { Row as Site } from "../store/sites.js";
import type { Ctx } from "../trpc.js";

/** Emits what a site is now, and how it finds out who its visitors are. The key travels as it is stored, sealed. */
export async function emitSiteChanged(
  ctx: Ctx,
  { id, organization, visibility }: Pick<Site, "id" | "organization" | "visibility">,
) {
  const row = await queries.find(ctx, id);
  const auth = row && { backend: row.backend, privateKey: row.private_key };
  await emit(ctx, SiteChanged, id, { site: id, organization, visibility, auth });
}
