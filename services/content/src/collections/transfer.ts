import { allowIn } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { CollectionTransferred } from "@octavo/shared/events/catalogue/content";
import { emit } from "@octavo/shared/events/outbox";
import { settle } from "../audience/settle.js";
import { auditCollection } from "../audit.js";
import { handOver, spacesIn } from "../spaces/owner.js";
import type { Call } from "../trpc.js";
import { load } from "./load.js";
import { NEEDS } from "./permissions.js";
import { lockOrder, placeIn } from "./place.js";
import * as queries from "./queries.js";
import type { Transfer } from "./schema.js";
import { view } from "./view.js";

/**
 * Gives a collection, with all that lies in it, to another organization, where it stands at the end of the top level.
 * Its default level becomes `inherit`; those inside keep theirs, so what was closed stays closed. The rest of the
 * transfer is each space's own (see spaces/transfer.ts).
 */
export function transfer({ ctx, input: { collectionId: id, organization: to } }: Call<typeof Transfer>) {
  return transact(ctx, async (ctx) => {
    const { organization: from } = await load(ctx, id, NEEDS.admin);
    allowIn(ctx, to, NEEDS.create);
    await lockOrder(ctx, from, to);
    const row = await load(ctx, id, NEEDS.admin);
    if (row.organization === to) {
      refuse("CONFLICT", "Collection: is in that organization already", { reason: "same_organization" });
    }
    if (row.organization !== from) refuse("CONFLICT", "Collection: was transferred in the meantime");
    const ids = (await queries.tree(ctx, id)).map((collection) => collection.id);
    const spaces = await spacesIn(ctx, ids);
    await queries.setOrganization(ctx, ids, to);
    await queries.dropGrants(ctx, ids);
    await queries.graft(ctx, row, []);
    const position = await placeIn(ctx, { organization: to, parent: null }, {}, id);
    await queries.update(ctx, id, { parent: null, default_level: "inherit", position });
    await handOver(ctx, spaces, { from, to });
    await settle(ctx, spaces);
    await emit(ctx, CollectionTransferred, id, { collection: id, spaces, from, to });
    for (const organization of [from, to]) {
      const details = { title: row.title, from, to, collections: ids, spaces };
      await auditCollection(ctx, "collection.transfer", { id, organization }, details);
    }
    return view(ctx)(found(await queries.find(ctx, id), "Collection"));
  });
}
