import { id, listOf, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";

/** What a template is to be filled with: none of ours refers to anything, so there is nothing to name. */
const params = z.object({
  contentRefs: z
    .record(z.string(), z.unknown())
    .refine((refs) => Object.keys(refs).length === 0, "must be empty: no template takes references")
    .optional(),
});

export const ApplySpaceTemplate = z
  .object({ id: text(100, 1), params: params.optional() })
  .meta({ id: "ApplySpaceTemplate" });

export const SpaceTemplate = z
  .object({
    id: z.string(),
    title: z.string(),
    subtitle: z.string(),
    emoji: z.string(),
  })
  .meta({ id: "SpaceTemplate" });
export const SpaceTemplates = listOf(SpaceTemplate);

export const List = z.object({});
export const Apply = ApplySpaceTemplate.extend({ spaceId: id });
