import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { lockParent } from "../../../access/load-collection.js";
import { lockSpaceInOrder } from "../../../access/load-space.js";
import * as spaces from "../../../access/spaces.js";
import { auditSpace } from "../../../audit.js";
import type { Call } from "../../../trpc.js";
import { recomputeVisibility } from "../../audience/recompute-visibility.js";
import { withinOwnLevel } from "../../grants/own-level.js";
import { placeIn } from "../../place/place.js";
import * as queries from "../queries.js";
import type { Move } from "../schema.js";
import { view } from "../view.js";

/**
 * Puts a space under another parent, or elsewhere among its siblings. 403 for who may not administer it, create under
 * the parent, or would gain a level by the move, 404 for a space or a parent out of reach, 409 when the space is
 * transferred meanwhile.
 */
export function move({ ctx, input }: Call<typeof Move>) {
  return transact(ctx, async (ctx) => {
    const { spaceId: id, position } = input;
    const row = await lockSpaceInOrder(ctx, id, "space.admin");
    const { organization } = row;
    const parent = input.parent === undefined ? row.parent : input.parent;
    await lockParent(ctx, organization, parent);
    const index = await placeIn(ctx, { organization, parent }, position, id);
    await withinOwnLevel(ctx, { kind: "space", id }, row, () =>
      queries.update(ctx, id, { parent, position: index }),
    );
    await recomputeVisibility(ctx, parent === row.parent ? [] : [id]);
    await auditSpace(ctx, "space.move", row, changed(row, { parent, position: index }));
    return view(ctx)(found(await spaces.find(ctx, id), "Space"));
  });
}
