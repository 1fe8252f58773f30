import { CollectionTransferred } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import * as collections from "../../../access/collections.js";
import { levelOn } from "../../../access/level.js";
import { lockCollectionTree } from "../../../access/load-collection.js";
import * as spaces from "../../../access/spaces.js";
import { auditCollection } from "../../../audit.js";
import { allowIn, permits, roleFor } from "../../../permissions.js";
import type { Call, Ctx } from "../../../trpc.js";
import { recomputeVisibility } from "../../audience/recompute-visibility.js";
import { refuseAbove } from "../../grants/own-level.js";
import { placeIn } from "../../place/place.js";
import { handOver } from "../../spaces/owner.js";
import * as queries from "../queries.js";
import type { Transfer } from "../schema.js";
import { view } from "../view.js";

/**
 * Gives a collection, with all that lies in it, to another organization, where it stands at the end of the top level.
 * Its default level becomes `inherit`; those inside keep theirs, so what was closed stays closed. The rest of the
 * transfer is each space's own (see spaces/transfer.ts). Takes the role `create` in both organizations, and the same on
 * everything inside: else 403; 404 to strangers of either, 409 when it is in that organization already.
 */
export function transfer({ ctx, input: { collectionId: id, organization: to } }: Call<typeof Transfer>) {
  return transact(ctx, async (ctx) => {
    const { row, collections: ids, spaces } = await lockCollectionTree(ctx, id, "collection.admin", { to });
    const { organization: from } = row;
    for (const organization of [from, to]) allowIn(ctx, organization, "organization.createContent");
    if (from === to) {
      refuse("CONFLICT", "Collection: is in that organization already", { reason: "same_organization" });
    }
    await refuseOutOfReach(ctx, ids, spaces);
    await queries.setOrganization(ctx, ids, to);
    await queries.dropGrants(ctx, ids);
    await queries.graft(ctx, row, []);
    const position = await placeIn(ctx, { organization: to, parent: null }, {}, id);
    await queries.update(ctx, id, { parent: null, default_level: "inherit", position });
    await handOver(ctx, spaces, { from, to });
    await recomputeVisibility(ctx, spaces);
    await emit(ctx, CollectionTransferred, id, { collection: id, spaces, from, to });
    for (const organization of [from, to]) {
      const details = { title: row.title, from, to, collections: ids, spaces };
      await auditCollection(ctx, "collection.transfer", { id, organization }, details);
    }
    return view(ctx)(found(await collections.find(ctx, id), "Collection"));
  });
}

/** 403 when something inside is closed to the caller, or its default level is above what they have there. */
async function refuseOutOfReach(ctx: Ctx, collectionIds: string[], spaceIds: string[]) {
  const inside = [
    ...(await collections.findAll(ctx, collectionIds)),
    ...(await spaces.findAnyOf(ctx, spaceIds)),
  ];
  for (const row of inside) {
    const level = levelOn(ctx.caller, row);
    if (!permits(level, "collection.admin")) {
      const message = `Collection: needs the role ${roleFor("collection.admin")} on everything in it`;
      refuse("FORBIDDEN", message, { reason: "content_out_of_reach" });
    }
    refuseAbove(level, row.default_level === "inherit" ? null : row.default_level);
  }
}
