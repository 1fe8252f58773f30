import { SpaceCreated } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { emit } from "@octavo/shared/events/outbox";
import { lockRows } from "../../access/lock.js";
import { lockOrder } from "../../access/lock-order.js";
import * as spaces from "../../access/spaces.js";
import { auditSpace } from "../../audit.js";
import { placeIn } from "../../library/place/place.js";
import { openSpace } from "../../revisions/open-space.js";
import type { Ctx } from "../../trpc.js";
import type { Row } from "../store/translations.js";
import * as translations from "../store/translations.js";
import { sourceOf } from "./source.js";

/** Characters of a title. */
const MAX_TITLE = 50;

/**
 * Returns the space that a translation writes into; makes one behind the source when there is none, or it was deleted.
 * `SOURCE_NOT_FOUND` when the source was deleted, or transferred away.
 */
export function resultSpaceOf(ctx: Ctx, translation: Row): Promise<string> {
  return transact(ctx, async (ctx) => {
    await lockOrder(ctx, translation.organization);
    // Where the result lies and who sees it is as it is with the source now.
    await lockRows(ctx, [translation.space], "use");
    const source = await sourceOf(ctx, translation);
    const known =
      translation.result_space === null ? undefined : await spaces.find(ctx, translation.result_space);
    if (known && known.organization === translation.organization) return known.id;
    const { organization, language } = translation;
    const { parent, emoji, icon, default_level } = source;
    const after = { type: "space" as const, space: source.id };
    const position = await placeIn(ctx, { organization, parent }, { after });
    const title = `${[...source.title].slice(0, MAX_TITLE - language.length - 3).join("")} (${language})`;
    const look = { title, emoji, icon, language, default_level, edit_mode: "locked" as const };
    const id = await openSpace(ctx, { organization, parent, position, ...look });
    await emit(ctx, SpaceCreated, id, { space: id, organization });
    await auditSpace(ctx, "space.create", { id, organization }, { title, translation: translation.id });
    await translations.update(ctx, translation.id, { result_space: id, result_revision: null });
    return id;
  });
}
