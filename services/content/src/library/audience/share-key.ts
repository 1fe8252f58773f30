import type { Space } from "@octavo/shared/contracts/schemas/space";
import { hashOfShareKey } from "@octavo/shared/contracts/share-keys";
import type { Ctx } from "../../trpc.js";

/**
 * The space as whoever has this share key finds it: its published address on the site of the key holds the key. A key
 * that is none, or of a site that does not show the space, changes nothing.
 */
export async function addressedBy(ctx: Ctx, space: Space, shareKey: string | undefined): Promise<Space> {
  const hash = shareKey === undefined ? undefined : hashOfShareKey(shareKey);
  if (hash === undefined) return space;
  const shown = await ctx.db
    .selectFrom("audience")
    .innerJoin("share_key", "share_key.site", "audience.site")
    .select(["audience.url", "share_key.root"])
    .where("audience.space", "=", space.id)
    .where("share_key.hash", "=", hash)
    .executeTakeFirst();
  if (!shown?.url?.startsWith(shown.root)) return space;
  const published = `${shown.root}${shareKey!.toLowerCase()}/${shown.url.slice(shown.root.length)}`;
  return { ...space, urls: { ...space.urls, published } };
}
