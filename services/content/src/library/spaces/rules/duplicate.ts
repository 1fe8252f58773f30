import { SpaceCreated } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { levelOn } from "../../../access/level.js";
import { lockParent } from "../../../access/load-collection.js";
import { lockSpaceInOrder } from "../../../access/load-space.js";
import * as spaces from "../../../access/spaces.js";
import { auditSpace } from "../../../audit.js";
import { permits, roleFor } from "../../../permissions.js";
import { copyContent } from "../../../revisions/copy-content.js";
import { openSpace } from "../../../revisions/open-space.js";
import type { Call } from "../../../trpc.js";
import { refuseAbove } from "../../grants/own-level.js";
import { placeIn } from "../../place/place.js";
import type { One } from "../schema.js";
import { view } from "../view.js";

/**
 * Copies a space, as its content is now, to a new one right behind it. Neither history, change requests, git sync nor
 * grants go along; the default level does, so that a closed space has no open copy. 403 when that is above what the
 * caller has on the original and as who may create beside it, 404 for a space out of reach, 409 when it is transferred
 * meanwhile.
 */
export function duplicate({ ctx, input: { spaceId } }: Call<typeof One>) {
  return transact(ctx, async (ctx) => {
    const row = await lockSpaceInOrder(ctx, spaceId, "space.access", { strength: "use" });
    const { organization, parent, default_level, emoji, icon, language, edit_mode } = row;
    await lockParent(ctx, organization, parent);
    const level = levelOn(ctx.caller, row);
    const own = permits(level, "space.admin") ? level : roleFor("space.admin");
    refuseAbove(own, default_level === "inherit" ? null : default_level);
    const position = await placeIn(
      ctx,
      { organization, parent },
      { after: { type: "space", space: spaceId } },
    );
    const look = { title: copyOf(row.title), emoji, icon, language, edit_mode, default_level };
    const id = await openSpace(ctx, { organization, parent, position, ...look });
    await copyContent(ctx, spaceId, id);
    await emit(ctx, SpaceCreated, id, { space: id, organization });
    await auditSpace(ctx, "space.duplicate", { id, organization }, { of: spaceId, title: look.title });
    return view(ctx)(found(await spaces.find(ctx, id), "Space"));
  });
}

const MAX_TITLE = 50;

/** `Copy of <title>`, shortened to what a title may be without cutting a character in two. */
export function copyOf(title: string): string {
  const characters = Array.from(
    new Intl.Segmenter().segment(`Copy of ${title}`.trim()),
    ({ segment }) => segment,
  );
  while (characters.join("").length > MAX_TITLE) characters.pop();
  return characters.join("");
}
