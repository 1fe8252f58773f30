// A collection groups spaces and other collections; what lies in it takes its default level from it.

import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import * as collections from "../../access/collections.js";
import { accessFilter } from "../../access/filter.js";
import { levelOn } from "../../access/level.js";
import {
  loadCollection,
  lockCollection,
  lockCollectionTree,
  lockParent,
  refuseDepth,
} from "../../access/load-collection.js";
import { lockOrder } from "../../access/lock-order.js";
import { auditCollection } from "../../audit.js";
import { authorOf } from "../../people/author.js";
import { allowIn } from "../../permissions.js";
import type { Call } from "../../trpc.js";
import { withinOwnLevel } from "../grants/own-level.js";
import { placeIn } from "../place/place.js";
import { discardIn } from "../spaces/trash.js";
import * as queries from "./queries.js";
import type { Create, Get, List, Update } from "./schema.js";
import { view } from "./view.js";

/**
 * Lists the collections of an organization, or those at its top level, that the caller may read, siblings in their
 * order; 404 to strangers.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const { organizationId: organization, nested } = input;
  allowIn(ctx, organization, "organization.view");
  const filter = await accessFilter(ctx, organization);
  const query = queries.inOrganization(ctx, organization, { nested, visible: filter.collections });
  return paginate({
    query,
    by: [{ column: "position" }],
    input,
    view: (rows) => rows.map(filter.attachAccessTo).map(view(ctx)),
  });
}

/** Returns a collection to who may read it; 404 to all others. */
export async function get({ ctx, input }: Call<typeof Get>) {
  return view(ctx)(await loadCollection(ctx, input.collectionId));
}

/**
 * Creates a collection at the end of its parent, or of the organization; 404 for a parent out of reach, 403 for who
 * may not create there, 400 when collections would nest too deep.
 */
export function create({ ctx, input }: Call<typeof Create>) {
  const { organizationId: organization, title, parent = null } = input;
  allowIn(ctx, organization, "organization.view");
  return transact(ctx, async (ctx) => {
    await lockOrder(ctx, organization);
    const ancestors = await lockParent(ctx, organization, parent);
    refuseDepth(ancestors.length + 1);
    const id = newId();
    const position = await placeIn(ctx, { organization, parent });
    const created_by = await authorOf(ctx);
    await queries.insert(ctx, { id, organization, title, parent, ancestors, position, created_by });
    await auditCollection(ctx, "collection.create", { id, organization }, { title: title ?? "", parent });
    return view(ctx)(found(await collections.find(ctx, id), "Collection"));
  });
}

/**
 * Changes title, description or default level; 404 to strangers, 403 for who does not administer the collection, or
 * when the default level would give others more than the caller has.
 */
export function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const { collectionId: id, title, description, defaultLevel: default_level } = input;
    const row = await lockCollection(ctx, id, "collection.admin");
    const set = { title, description, default_level };
    const change = () => queries.update(ctx, id, set);
    await (default_level === undefined
      ? change()
      : withinOwnLevel(ctx, { kind: "collection", id }, row, change));
    await auditCollection(ctx, "collection.update", row, changed(row, set));
    return view(ctx)(found(await collections.find(ctx, id), "Collection"));
  });
}

/**
 * Deletes a collection with the collections in it; the spaces in all of them go to the trash. 403 for who may not
 * administer it, 409 when it is transferred meanwhile. No error when there is none.
 */
export function remove({ ctx, input: { collectionId: id } }: Call<typeof Get>) {
  return transact(ctx, async (ctx) => {
    if (!(await collections.find(ctx, id))) return;
    const { row, collections: ids } = await lockCollectionTree(ctx, id, "collection.admin");
    await discardIn(ctx, ids, levelOn(ctx.caller, row));
    await queries.dropGrants(ctx, ids);
    await queries.remove(ctx, ids);
    await auditCollection(ctx, "collection.delete", row, { title: row.title, collections: ids });
  });
}
