import { defaultLevel, id, listOf, paging, permissions, text, urls } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { destination } from "../place/schema.js";

export const Collection = z
  .object({
    object: z.literal("collection"),
    id: z.string(),
    title: z.string(),
    description: z.string().optional(),
    organization: z.string(),
    /** The collection that it lies in. */
    parent: z.string().optional(),
    defaultLevel,
    urls: urls("location", "app"),
    permissions: permissions("view", "admin", "viewInviteLinks", "create"),
  })
  .meta({ id: "Collection" });
export type Collection = z.output<typeof Collection>;
export const Collections = listOf(Collection);

export const List = z.object({ organizationId: id, nested: z.boolean().default(true), ...paging });
export const Create = z.object({ organizationId: id, title: text(50).default(""), parent: id.optional() });
export const Get = z.object({ collectionId: id });
export const Update = z.object({
  collectionId: id,
  title: text(50).optional(),
  description: text(100).optional(),
  defaultLevel: defaultLevel.optional(),
});
export const Move = z.object({ collectionId: id, ...destination });
export const Transfer = z.object({ collectionId: id, organization: id });
