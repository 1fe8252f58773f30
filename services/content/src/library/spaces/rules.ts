// A space holds pages and files, with their history; it is what teams write in and what sites show.

import { changed } from "@octavo/shared/audit";
import { SpaceCreated, SpaceRestored } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { paginate } from "@octavo/shared/paginate";
import { accessFilter } from "../../access/filter.js";
import { levelOn, mayView } from "../../access/level.js";
import { loadCollection, lockParent } from "../../access/load-collection.js";
import { loadAnySpace, lockAnySpace, lockSpace, lockSpaceIfAny } from "../../access/load-space.js";
import { lockOrder } from "../../access/lock-order.js";
import * as spaces from "../../access/spaces.js";
import { PUBLISHED } from "../../access/visibility.js";
import { auditSpace } from "../../audit.js";
import { allowIn, permits } from "../../permissions.js";
import { openSpace } from "../../revisions/open-space.js";
import { lockBranch } from "../../store/version.js";
import { pagesOf, templateBy } from "../../templates/catalog.js";
import { addPages } from "../../templates/fill.js";
import type { Call, Ctx } from "../../trpc.js";
import { recomputeVisibility } from "../audience/settle.js";
import { addressedBy } from "../audience/share-key.js";
import { countGrantsOn } from "../grants/count.js";
import { withinOwnLevel } from "../grants/own-level.js";
import { placeIn } from "../place/place.js";
import * as queries from "./queries.js";
import type { Create, Get, List, ListInCollection, Lookup, One, Update } from "./schema.js";
import { discard } from "./trash.js";
import { view } from "./view.js";

const by = [{ column: "position" }];

/** Siblings come in their order. */
export async function list({ ctx, input }: Call<typeof List>) {
  const { organizationId: organization } = input;
  allowIn(ctx, organization, "organization.view");
  const sight = await accessFilter(ctx, organization);
  const query = queries.inOrganization(ctx, organization, sight.spaces);
  return paginate({ query, by, input, view: async (rows) => (await sight.placeSpaces(rows)).map(view(ctx)) });
}

/** Lists the spaces directly in a collection, in their order. */
export async function listInCollection({ ctx, input }: Call<typeof ListInCollection>) {
  const { id, organization } = await loadCollection(ctx, input.collectionId);
  const sight = await accessFilter(ctx, organization);
  const query = queries.inCollection(ctx, organization, id, sight.spaces);
  return paginate({ query, by, input, view: async (rows) => (await sight.placeSpaces(rows)).map(view(ctx)) });
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

/** A public space shows itself to everybody, but not what goes on in it; a share key is repeated in its address. */
export async function get({ ctx, input }: Call<typeof Get>) {
  const space = view(ctx)(await loadAnySpace(ctx, input.spaceId, "space.view"));
  return addressedBy(ctx, space, input.shareKey);
}

/**
 * Creates a space, with an id of its own unless one is given, at the end of its parent; 404 for a parent out of
 * reach or an unknown template, 403 for who may not create there, 501 for computed content.
 */
export const create = ({ ctx, input }: Call<typeof Create>) => createSpace(ctx, input);

/** Creates a space, with an id of its own unless one is given. */
export function createSpace(ctx: Ctx, input: Call<typeof Create>["input"], given?: string) {
  const { organizationId: organization, parent = null, title, emoji, language, editMode } = input;
  allowIn(ctx, organization, "organization.view");
  if (input.computedSource !== undefined) {
    refuse("NOT_IMPLEMENTED", "body.computedSource: this is not available yet", {
      reason: "computed_content_unavailable",
    });
  }
  const template = input.template && templateBy(input.template.id);
  return transact(ctx, async (ctx) => {
    await lockOrder(ctx, organization);
    await lockParent(ctx, organization, parent);
    const position = await placeIn(ctx, { organization, parent });
    const look = { title, emoji, language, edit_mode: editMode };
    const id = await openSpace(ctx, { organization, parent, position, ...look }, given);
    if (template) await addPages(ctx, id, await lockBranch(ctx, id), await pagesOf(template));
    await emit(ctx, SpaceCreated, id, { space: id, organization });
    await auditSpace(
      ctx,
      "space.create",
      { id, organization },
      { title: title ?? "", parent, template: template?.id ?? null },
    );
    return view(ctx)(found(await spaces.find(ctx, id), "Space"));
  });
}

/**
 * Changes the settings of a space; 404 to strangers, 403 for who does not administer it, or when the default level
 * would give others more than the caller has, 409 for live editing while it is published or synced.
 */
export function update({ ctx, input }: Call<typeof Update>) {
  return transact(ctx, async (ctx) => {
    const { spaceId: id, title, defaultLevel: default_level, language, editMode: edit_mode } = input;
    const row = await lockSpace(ctx, id, "space.admin");
    if (edit_mode === "live" && row.edit_mode !== "live") refuseLive(row);
    const set = { title, default_level, language, edit_mode, ...pictureOf(input) };
    const change = () => queries.update(ctx, id, set);
    await (default_level === undefined ? change() : withinOwnLevel(ctx, { kind: "space", id }, row, change));
    await recomputeVisibility(ctx, default_level === undefined ? [] : [id]);
    await auditSpace(ctx, "space.update", row, changed(row, set));
    return view(ctx)(found(await spaces.find(ctx, id), "Space"));
  });
}

/** An emoji and an icon take each other's place; null takes away the one that it is given for. */
function pictureOf({ emoji, icon }: Pick<Call<typeof Update>["input"], "emoji" | "icon">) {
  if (icon) return { icon, emoji: "" };
  if (emoji) return { emoji, icon: null };
  return { ...(emoji !== undefined && { emoji: "" }), ...(icon !== undefined && { icon: null }) };
}

/**
 * Edits of readers' content are made in change requests: 409 while anybody can read it, or git has a copy. What is
 * published or synced later is locked by that (`audience/settle.ts`, `git/operations.ts`).
 */
function refuseLive({ visibility, git }: spaces.Row) {
  if ((PUBLISHED as readonly string[]).includes(visibility)) {
    refuse("CONFLICT", "body.editMode: the space is published", { reason: "space_published" });
  }
  if (git)
    refuse("CONFLICT", "body.editMode: the space is kept in sync with git", { reason: "space_synced" });
}

/** Moves a space to the trash, where it stays for seven days. */
export function remove({ ctx, input: { spaceId: id } }: Call<typeof One>) {
  return transact(ctx, async (ctx) => {
    const row = await lockSpaceIfAny(ctx, id, "space.admin");
    if (!row) return;
    await discard(ctx, id);
    await auditSpace(ctx, "space.delete", row, { title: row.title });
  });
}

/** Takes a space out of the trash; one that is not there is answered as it is. */
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
