import { SpaceRestored } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { paginate } from "@octavo/shared/paginate";
import { accessFilter } from "../../access/filter.js";
import { levelOn, mayView } from "../../access/level.js";
import { loadCollection } from "../../access/load-collection.js";
import { loadAnySpace, lockAnySpace, lockSpaceIfAny } from "../../access/load-space.js";
import * as spaces from "../../access/spaces.js";
import { auditSpace } from "../../audit.js";
import { allowIn, permits } from "../../permissions.js";
import type { Call } from "../../trpc.js";
import { recomputeVisibility } from "../audience/recompute-visibility.js";
import { addressedBy } from "../audience/share-key.js";
import { countGrantsOn } from "../grants/count.js";
import { createSpace } from "./create-space.js";
import * as queries from "./queries.js";
import type { Create, Get, List, ListInCollection, Lookup, One } from "./schema.js";
import { discard } from "./trash.js";
import { view } from "./view.js";

// A space holds pages and files, with their history; it is what teams write in and what sites show.

const by = [{ column: "position" }];

/** Lists the spaces of an organization that the caller may read, siblings in their order; 404 to strangers. */
export async function list({ ctx, input }: Call<typeof List>) {
  const { organizationId: organization } = input;
  allowIn(ctx, organization, "organization.view");
  const filter = await accessFilter(ctx, organization);
  const query = queries.inOrganization(ctx, organization, filter.spaces);
  return paginate({
    query,
    by,
    input,
    view: async (rows) => (await filter.attachAccess(rows)).map(view(ctx)),
  });
}

/** Lists the spaces directly in a collection, in their order; 404 for a collection out of reach. */
export async function listInCollection({ ctx, input }: Call<typeof ListInCollection>) {
  const { id, organization } = await loadCollection(ctx, input.collectionId);
  const filter = await accessFilter(ctx, organization);
  const query = queries.inCollection(ctx, organization, id, filter.spaces);
  return paginate({
    query,
    by,
    input,
    view: async (rows) => (await filter.attachAccess(rows)).map(view(ctx)),
  });
}

/**
 * Returns those of the spaces that the caller may read, or that the site shows which the caller visits; what is in the
 * trash is left out.
 */
export async function lookup({ ctx, input }: Call<typeof Lookup>) {
  const { caller } = ctx;
  const rows = await spaces.findAll(ctx, input.ids);
  const isSeen = (row: spaces.Row) =>
    caller.kind === "reader" ? mayView(caller, row) : permits(levelOn(caller, row), "space.access");
  return rows.filter(isSeen).map(view(ctx));
}

/** Returns whose those of the spaces are that are not in the trash, and at which revision their content is now. */
export const heads = ({ ctx, input }: Call<typeof Lookup>) => queries.heads(ctx, input.ids);

/** A public space shows itself to everybody, but not what goes on in it; a share key is repeated in its address. */
export async function get({ ctx, input }: Call<typeof Get>) {
  const space = view(ctx)(await loadAnySpace(ctx, input.spaceId, "space.view"));
  return addressedBy(ctx, space, input.shareKey);
}

/**
 * Creates a space, with an id of its own unless one is given, at the end of its parent; 404 for a parent out of
 * reach or an unknown template, 403 for who may not create there.
 */
export const create = ({ ctx, input }: Call<typeof Create>) => createSpace(ctx, input);

/**
 * Moves a space to the trash, where it stays for seven days; 403 for who may not administer it. No error when there is
 * none.
 */
export function remove({ ctx, input: { spaceId: id } }: Call<typeof One>) {
  return transact(ctx, async (ctx) => {
    const row = await lockSpaceIfAny(ctx, id, "space.admin");
    if (!row) return;
    await discard(ctx, id);
    await auditSpace(ctx, "space.delete", row, { title: row.title });
  });
}

/**
 * Takes a space out of the trash, and returns one that is not there as it is; 403 for who may not administer it, 404 to
 * strangers and after seven days.
 */
export function restore({ ctx, input: { spaceId: id } }: Call<typeof One>) {
  return transact(ctx, async (ctx) => {
    const row = await lockAnySpace(ctx, id, "space.admin");
    if (row.deleted_at === null) return view(ctx)(row);
    found(await queries.restore(ctx, id), "Space");
    await emit(ctx, SpaceRestored, id, { space: id, organization: row.organization });
    await recomputeVisibility(ctx, [id]);
    await auditSpace(ctx, "space.restore", row);
    await countGrantsOn(ctx, [id]);
    return view(ctx)(found(await spaces.find(ctx, id), "Space"));
  });
}
