import { changed } from "@octavo/shared/audit";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { lockSpace } from "../../../access/load-space.js";
import * as spaces from "../../../access/spaces.js";
import { PUBLISHED } from "../../../access/visibility.js";
import { auditSpace } from "../../../audit.js";
import type { Call } from "../../../trpc.js";
import { recomputeVisibility } from "../../audience/recompute-visibility.js";
import { withinOwnLevel } from "../../grants/own-level.js";
import * as queries from "../queries.js";
import type { Update } from "../schema.js";
import { view } from "../view.js";

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
 * published or synced later is locked by that (`audience/recompute-visibility.ts`, `git/operations.ts`).
 */
function refuseLive({ visibility, git }: spaces.Row) {
  if ((PUBLISHED as readonly string[]).includes(visibility)) {
    refuse("CONFLICT", "body.editMode: the space is published", { reason: "space_published" });
  }
  if (git)
    refuse("CONFLICT", "body.editMode: the space is kept in sync with git", { reason: "space_synced" });
}
