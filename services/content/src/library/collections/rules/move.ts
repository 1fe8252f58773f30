import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import * as collections from "../../../access/collections.js";
import { lockCollectionInOrder, lockParent, refuseDepth } from "../../../access/load-collection.js";
import { auditCollection } from "../../../audit.js";
import type { Call } from "../../../trpc.js";
import { withinOwnLevel } from "../../grants/own-level.js";
import { placeIn } from "../../place/place.js";
import * as queries from "../queries.js";
import type { Move } from "../schema.js";
import { view } from "../view.js";

/**
 * Puts a collection under another parent, or elsewhere among its siblings. 403 for who may not administer it, create
 * under the parent, or would gain a level by the move, 404 for a collection or a parent out of reach, 409 under itself
 * or what is in it, 400 where collections would nest too deep.
 */
export function move({ ctx, input }: Call<typeof Move>) {
  return transact(ctx, async (ctx) => {
    const { collectionId: id, position } = input;
    const row = await lockCollectionInOrder(ctx, id, "collection.admin");
    const { organization } = row;
    const parent = input.parent === undefined ? row.parent : input.parent;
    const above = await lockParent(ctx, organization, parent);
    if (above.includes(id)) {
      refuse("CONFLICT", "body.parent: lies in the collection that is moved", { reason: "collection_cycle" });
    }
    const index = await placeIn(ctx, { organization, parent }, position, id);
    await withinOwnLevel(ctx, { kind: "collection", id }, row, async () => {
      if (parent !== row.parent) {
        const depths = (await collections.tree(ctx, id)).map(({ depth }) => depth - row.ancestors.length);
        refuseDepth(above.length + Math.max(...depths) + 1);
        await queries.graft(ctx, row, above);
      }
      await queries.update(ctx, id, { parent, position: index });
    });
    await auditCollection(ctx, "collection.move", row, changed(row, { parent, position: index }));
    return view(ctx)(found(await collections.find(ctx, id), "Collection"));
  });
}
