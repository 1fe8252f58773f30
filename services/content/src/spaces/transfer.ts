import { allowIn } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { settle } from "../audience/settle.js";
import { auditSpace } from "../audit.js";
import { lockOrder, placeIn } from "../collections/place.js";
import type { Call } from "../trpc.js";
import { load } from "./load.js";
import { handOver } from "./owner.js";
import { NEEDS } from "./permissions.js";
import * as queries from "./queries.js";
import type { Transfer } from "./schema.js";
import { view } from "./view.js";

/**
 * Gives a space to another organization, where it stands at the end of the top level with the default level `inherit`.
 *
 * The transfer is a saga that this transaction decides: the new owner and the event are written together, and the
 * event makes the others follow, however often they crash in between: sites of the old organization let go of the
 * space, which nobody sees through them from this transaction on, and integrations drop its installations. So a space
 * that a site still shows is no obstacle; 412 only while a git operation runs, which would finish in the wrong
 * organization.
 */
export function transfer({ ctx, input: { spaceId: id, organization: to } }: Call<typeof Transfer>) {
  return transact(ctx, async (ctx) => {
    const { organization: from } = await load(ctx, id, NEEDS.admin);
    allowIn(ctx, to, NEEDS.admin);
    await lockOrder(ctx, from, to);
    const row = await load(ctx, id, NEEDS.admin);
    if (row.organization === to) {
      refuse("CONFLICT", "Space: is in that organization already", { reason: "same_organization" });
    }
    if (row.organization !== from) refuse("CONFLICT", "Space: was transferred in the meantime");
    await handOver(ctx, [id], { from, to });
    const position = await placeIn(ctx, { organization: to, parent: null }, {}, id);
    await queries.update(ctx, id, { parent: null, default_level: "inherit", position });
    await settle(ctx, [id]);
    for (const organization of [from, to]) {
      await auditSpace(ctx, "space.transfer", { id, organization }, { title: row.title, from, to });
    }
    return view(ctx)(found(await queries.find(ctx, id), "Space"));
  });
}
