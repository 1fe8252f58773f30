import {
  SpaceDeleted,
  SpacePurged,
  SpaceRestored,
  SpaceTransferred,
} from "@octavo/shared/contracts/events/content";
import { createListener } from "@octavo/shared/events/listen";
import * as queries from "../store/site-spaces.js";
import * as sites from "../store/sites.js";
import type { Ctx } from "../trpc.js";
import { forget, noteChange } from "./changes.js";
import { detach, reattach } from "./membership.js";

const on = createListener<Ctx>();

export const listeners = [
  // A site shows no space of another organization: it lets go of it, unless it is in the new one already.
  on(
    SpaceTransferred,
    async ({ ctx, payload: { space, to } }) => {
      await noteChange(ctx, space);
      await onEverySite(ctx, space, async (site, row) => {
        if (site.organization !== to) await detach(ctx, site, row, "removed");
      });
    },
    { state: "owner" },
  ),
  on(
    SpaceDeleted,
    async ({ ctx, payload: { space } }) => {
      await noteChange(ctx, space);
      await onEverySite(ctx, space, async (site, row) => {
        if (row.trashed_at === null) await detach(ctx, site, row, "trashed");
      });
    },
    { state: "trash" },
  ),
  on(
    SpaceRestored,
    async ({ ctx, payload: { space } }) => {
      await noteChange(ctx, space);
      await onEverySite(ctx, space, async (site, row) => {
        if (row.trashed_at !== null) await reattach(ctx, site, row);
      });
    },
    { state: "trash" },
  ),
  on(SpacePurged, async ({ ctx, payload: { space } }) => {
    await forget(ctx, space);
    await onEverySite(ctx, space, (site, row) => detach(ctx, site, row, "removed"));
  }),
];

/** Does the work on each site that holds the space, one after the other, as the only one to write to that site. */
async function onEverySite(
  ctx: Ctx,
  space: string,
  work: (site: sites.Row, row: queries.Row) => Promise<void>,
) {
  for (const { site: id, organization } of await queries.ofSpace(ctx, space)) {
    const site = await sites.lock(ctx, organization, id);
    const row = (await queries.ofSpace(ctx, space)).find((row) => row.site === id);
    if (site && row) await work(site, row);
  }
}
