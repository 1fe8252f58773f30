import type { z } from "zod";
import { areComplete } from "../../references/backfill.js";
import { readTarget } from "../../revisions/target.js";
import type { Call } from "../../trpc.js";
import { pageAlone } from "../content/queries.js";
import { orComputed } from "../content/read-computed.js";
import { immutable } from "../content/rules.js";
import { showPageAlone } from "../content/show-page.js";
import type { GetShownPage, ShownPage } from "./schema.js";

/** Returns a page by id without those below it, its document as JSON; 404 when there is none or the visitor may not see it. */
export async function page({ ctx, input }: Call<typeof GetShownPage>): Promise<z.output<typeof ShownPage>> {
  const { pageId: page, metadata } = input;
  const likely = { ...immutable(input), likelyHead: true };
  // What is not recorded yet when the page is read is not among its links.
  const recorded = areComplete(ctx, input.spaceId);
  const { scope, part } = await readTarget(ctx, likely, "space.view", pageAlone, { page });
  const links = recorded ? (part.links ?? []) : undefined;
  const shown = await orComputed(ctx, scope, part, { id: page });
  return showPageAlone(ctx, scope, shown, { metadata, ...(links && { links }) });
}
