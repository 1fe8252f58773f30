import { defaultLevel, id, listOf, paging, permissions, text, urls, z } from "@octavo/shared/fields";

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

const pointer = z.discriminatedUnion("type", [
  z.object({ type: z.literal("space"), space: id }),
  z.object({ type: z.literal("collection"), collection: id }),
]);
export type Pointer = z.output<typeof pointer>;

/** A place among the spaces and collections under one parent; the end when it names nothing. */
export const Position = z
  .object({ before: pointer.optional(), after: pointer.optional() })
  .refine(({ before, after }) => !(before && after), "takes `before` or `after`, not both");
export type Position = z.output<typeof Position>;

/** Where to move to: an absent `parent` keeps the collection it lies in, `null` is the top level. */
export const destination = { parent: id.nullable().optional(), position: Position.optional() };

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
