import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { lockOrder } from "../../../access/lock-order.js";
import * as spaces from "../../../access/spaces.js";
import { authorOf } from "../../../people/author.js";
import type { Call } from "../../../trpc.js";
import { createSpace } from "../create-space.js";
import { Create, type CreateOnce } from "../schema.js";
import { view } from "../view.js";

/**
 * Creates a space with an id that a service has chosen and noted, so that it finds the space again when the response is
 * lost. Repeated by the same caller it returns what it made; 409 when the id is another space's, or in the trash.
 */
export function createOnce({ ctx, input: { id, organizationId, title } }: Call<typeof CreateOnce>) {
  return transact(ctx, async (ctx) => {
    await lockOrder(ctx, organizationId);
    const known = await spaces.findAny(ctx, id);
    if (!known) return createSpace(ctx, Create.parse({ organizationId, title }), id);
    const own = known.organization === organizationId && known.created_by === (await authorOf(ctx));
    if (!own || known.deleted_at !== null) refuse("CONFLICT", "Space: the id is taken");
    return view(ctx)(known);
  });
}
