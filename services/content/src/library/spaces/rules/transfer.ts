import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { lockSpaceInOrder } from "../../../access/load-space.js";
import * as spaces from "../../../access/spaces.js";
import { auditSpace } from "../../../audit.js";
import { allowIn } from "../../../permissions.js";
import type { Call } from "../../../trpc.js";
import { recomputeVisibility } from "../../audience/recompute-visibility.js";
import { placeIn } from "../../place/place.js";
import { handOver } from "../owner.js";
import * as queries from "../queries.js";
import type { Transfer } from "../schema.js";
import { view } from "../view.js";

/**
 * Gives a space to another organization, where it stands at the end of the top level with the default level `inherit`.
 * Takes the role `create` in both organizations (403, 404 to strangers): what is granted on the space alone does not
 * reach that far. 409 when it is in that organization already.
 *
 * The transfer is a saga that this transaction decides: the new owner and the event are written together, and the event
 * makes the others follow, however often they crash in between: sites of the old organization let go of the space,
 * which nobody sees through them from this transaction on, and integrations drop its installations. So a space that a
 * site still shows is no obstacle; 412 only while a git operation runs, which would finish in the wrong organization.
 */
export function transfer({ ctx, input: { spaceId: id, organization: to } }: Call<typeof Transfer>) {
  return transact(ctx, async (ctx) => {
    const row = await lockSpaceInOrder(ctx, id, "space.admin", { to });
    const { organization: from } = row;
    for (const organization of [from, to]) allowIn(ctx, organization, "organization.createContent");
    if (from === to) {
      refuse("CONFLICT", "Space: is in that organization already", { reason: "same_organization" });
    }
    await handOver(ctx, [id], { from, to });
    const position = await placeIn(ctx, { organization: to, parent: null }, {}, id);
    await queries.update(ctx, id, { parent: null, default_level: "inherit", position });
    await recomputeVisibility(ctx, [id]);
    for (const organization of [from, to]) {
      await auditSpace(ctx, "space.transfer", { id, organization }, { title: row.title, from, to });
    }
    return view(ctx)(found(await spaces.find(ctx, id), "Space"));
  });
}
