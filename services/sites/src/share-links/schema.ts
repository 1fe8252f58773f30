import { id, listOf, paging, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { OneSite } from "../access/schema.js";

const name = text(50);

export const ShareLink = z
  .object({
    object: z.literal("share-link"),
    id: z.string(),
    createdAt: z.string(),
    name: z.string(),
    active: z.boolean(),
    /** Where the site is found by it: while the link is active and the site published. */
    urls: z.object({ published: z.string().optional() }),
  })
  .meta({ id: "ShareLink" });
export type ShareLink = z.output<typeof ShareLink>;

export const List = OneSite.extend(paging);
export const ShareLinkList = listOf(ShareLink);
export const Create = OneSite.extend({ name });
const One = OneSite.extend({ shareLinkId: id });
export const Update = One.extend({ active: z.boolean().optional(), name: name.optional() });
export const Remove = One;
