import { found, refuse } from "@octavo/shared/errors";
import { computeSoon } from "../event-queue/compute-soon.js";
import { announcePlaced, record } from "../event-queue/record.js";
import { scriptsSoon } from "../event-queue/scripts-soon.js";
import { visitorAuthSoon } from "../event-queue/visitor-auth-soon.js";
import type { Configuration } from "../schemas/manifest.js";
import type * as queries from "../store/content-installations.js";
import * as integrations from "../store/integrations.js";
import type { Ctx } from "../trpc.js";
import type { ContentKind } from "./kinds.js";

/** How the integration wants such content configured; 409 for an integration that is not made for it. */
export async function formOf(
  ctx: Ctx,
  { kind, noun }: ContentKind,
  id: string,
): Promise<Configuration | undefined> {
  const { target, configurations } = found(await integrations.findById(ctx, id), "Integration");
  if (target !== "all" && target !== kind)
    refuse("CONFLICT", `${noun}: the integration cannot be installed on one`, { reason: "wrong_target" });
  return configurations?.[kind];
}

/** Records for the integration that one was set up, or has changed from what it was before. */
export async function recordSetup(ctx: Ctx, row: queries.Row, before?: queries.Row) {
  const { id: contentInstallation, installation: id, integration, organization, content, status } = row;
  const about = { id, integration, organization, contentInstallation };
  const previous = before && { status: before.status, configuration: before.configuration };
  await (row.kind === "space"
    ? record(ctx, about, { type: "space_installation_setup", spaceId: content, status, previous })
    : record(ctx, about, { type: "site_installation_setup", siteId: content, status, previous }));
  await announcePlaced(ctx, about);
  if (row.kind === "space") await computeSoon(ctx, { organization, space: content });
  else {
    await visitorAuthSoon(ctx, about);
    await scriptsSoon(ctx, about);
  }
}
