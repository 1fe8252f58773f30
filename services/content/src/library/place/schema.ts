import { id } from "@octavo/shared/contracts/fields";
import { z } from "zod";

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
