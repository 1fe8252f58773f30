import { id } from "@octavo/shared/contracts/fields";
import { z } from "zod";

export const OfPage = z.object({ spaceId: id, revisionId: id, pageId: id });

const part = z.record(z.string(), z.unknown());
export const OperationsOfPage = z.object({
  items: z.array(
    z.object({
      /** As the block of the page names it: a specification, or the file of the space that holds it. */
      spec: z.string().optional(),
      file: id.optional(),
      path: z.string(),
      method: z.string(),
      servers: z.array(z.string()),
      operation: part,
      /** What it refers to, by the references. */
      references: z.record(z.string(), part),
    }),
  ),
});
export type ShownOperation = z.output<typeof OperationsOfPage>["items"][number];
