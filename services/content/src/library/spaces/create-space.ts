import { SpaceCreated } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { emit } from "@octavo/shared/events/outbox";
import { lockParent } from "../../access/load-collection.js";
import { lockOrder } from "../../access/lock-order.js";
import * as spaces from "../../access/spaces.js";
import { auditSpace } from "../../audit.js";
import { addComputedPage } from "../../computed/add-page.js";
import { allowIn } from "../../permissions.js";
import { openSpace } from "../../revisions/open-space.js";
import { lockBranch } from "../../store/version.js";
import { pagesOf, templateBy } from "../../templates/catalog.js";
import { addPages } from "../../templates/fill.js";
import type { Call, Ctx } from "../../trpc.js";
import { placeIn } from "../place/place.js";
import type { Create } from "./schema.js";
import { view } from "./view.js";

/** Creates a space, with an id of its own unless one is given. */
export function createSpace(ctx: Ctx, input: Call<typeof Create>["input"], given?: string) {
  const { organizationId: organization, parent = null, title, emoji, language, editMode } = input;
  const { computedSource } = input;
  allowIn(ctx, organization, "organization.view");
  const template = input.template && templateBy(input.template.id);
  return transact(ctx, async (ctx) => {
    await lockOrder(ctx, organization);
    await lockParent(ctx, organization, parent);
    const position = await placeIn(ctx, { organization, parent });
    const look = { title, emoji, language, edit_mode: editMode };
    const id = await openSpace(ctx, { organization, parent, position, ...look }, given);
    if (template) await addPages(ctx, id, await lockBranch(ctx, id), await pagesOf(template));
    if (computedSource) await addComputedPage(ctx, id, computedSource);
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
