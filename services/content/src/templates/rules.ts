// A template is a set of pages to begin with.

import { transact } from "@octavo/shared/database/transact";
import { refuse } from "@octavo/shared/errors";
import { auditSpace } from "../audit.js";
import { lockTarget } from "../revisions/target.js";
import { lockBranch } from "../store/version.js";
import type { Call } from "../trpc.js";
import { pagesOf, TEMPLATES, templateBy } from "./catalog.js";
import { addPages } from "./fill.js";
import { hasPages } from "./queries.js";
import type { Apply, List } from "./schema.js";

/** Lists the templates, the same for everybody. */
export async function list(_: Call<typeof List>) {
  return { items: TEMPLATES, count: TEMPLATES.length };
}

/**
 * Adds the pages of a template behind those of a space. 403 for who may not administer the space, 404 for an unknown
 * template, 409 when the space is locked and has pages: those are edited in change requests.
 */
export async function applyTemplate({ ctx, input }: Call<typeof Apply>): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { space, organization, editMode } = await lockTarget(
      ctx,
      { spaceId: input.spaceId },
      "space.admin",
    );
    const template = templateBy(input.id);
    const head = await lockBranch(ctx, space);
    if (editMode === "locked" && (await hasPages(ctx, space))) {
      refuse("CONFLICT", "Space: is locked, and has pages", { reason: "space_locked" });
    }
    await addPages(ctx, space, head, await pagesOf(template));
    await auditSpace(ctx, "space.applyTemplate", { id: space, organization }, { template: template.id });
  });
}
