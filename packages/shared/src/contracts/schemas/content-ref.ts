import { z } from "zod";

const id = z.string().min(1).max(100);

/** What a link in content or in the dress of a site leads to. */
export const contentRef = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("file"), file: id }),
    z.object({ kind: z.literal("url"), url: z.string().min(1).max(2048) }),
    z.object({ kind: z.literal("page"), page: id, space: id.optional() }),
    z.object({
      kind: z.literal("anchor"),
      anchor: z.string().max(2048),
      space: id.optional(),
      page: id.optional(),
    }),
    z.object({ kind: z.literal("user"), user: id }),
    z.object({ kind: z.literal("collection"), collection: id }),
    z.object({ kind: z.literal("space"), space: id }),
    z.object({ kind: z.literal("reusable-content"), reusableContent: id, space: id.optional() }),
    z.object({ kind: z.literal("openapi"), spec: id }),
  ])
  .meta({ id: "ContentRef" });
export type ContentRef = z.output<typeof contentRef>;
