import { found } from "@octavo/shared/errors";
import * as collections from "../../library/collections/rules.js";
import * as spaces from "../../library/spaces/rules.js";
import * as changeRequests from "../../review/change-requests/rules.js";
import { readTarget, resolveTarget, type Target } from "../../revisions/target.js";
import type { Call, Ctx } from "../../trpc.js";
import * as pages from "../content/queries.js";
import { showPage } from "../content/show-page.js";
import { type AddressTarget, foldersOf, pathBehind, placeAt } from "./address.js";
import * as queries from "./queries.js";
import type { GetContent } from "./schema.js";

/**
 * Returns what an address of the application or of a published site names: a collection, or a space with the change
 * request and the page. 404 when nothing is there, and when the caller may not see it; which of these is not disclosed. Each
 * part is guarded as at its own address in the interface.
 */
export async function getContent({ ctx, input: { url } }: Call<typeof GetContent>) {
  const place = found(placeAt(url, ctx.urls.app`/`) ?? (await publishedAt(ctx, url)), "Space");
  if ("collection" in place)
    return { collection: await collections.get({ ctx, input: { collectionId: place.collection } }) };
  const { target, path } = place;
  const { spaceId, changeRequestId } = target;
  // What lies in the trash has no content.
  const page =
    path.length === 0
      ? void (await resolveTarget(ctx, target, "space.view"))
      : await pageAt(ctx, target, path);
  return {
    space: await spaces.get({ ctx, input: { spaceId } }),
    ...(changeRequestId !== undefined && {
      changeRequest: await changeRequests.get({ ctx, input: { spaceId, changeRequestId } }),
    }),
    page,
  };
}

async function publishedAt(ctx: Ctx, url: string): Promise<AddressTarget | undefined> {
  const shown = await queries.shownAt(ctx, foldersOf(url));
  return shown && { target: { spaceId: shown.space }, path: pathBehind(url, shown.url) };
}

/** The document or group at a path of slugs, or with the id that stands in its place; 404 when there is none. */
async function pageAt(ctx: Ctx, target: Target, slugs: string[]) {
  const page = slugs.join("/");
  const byId = await readTarget(ctx, target, "space.view", pages.pageById, { page });
  const { scope, part } =
    byId.part.id === null ? await readTarget(ctx, target, "space.view", pages.pageByPath, { slugs }) : byId;
  const shown = await showPage(ctx, scope, part, {
    metadata: true,
    computed: true,
    format: "markdown",
    evaluated: "false",
  });
  return shown.type === "document" || shown.type === "group" ? shown : found(undefined, "Page");
}
