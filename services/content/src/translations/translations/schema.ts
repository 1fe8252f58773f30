import { id, language, listOf, paging, permissions, timestamp, urls } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { JSONDocument, jsonDocument } from "../../documents/document-schema.js";

const source = z.object({ space: z.string(), language: z.string() });

export const Translation = z
  .object({
    object: z.literal("translation"),
    id: z.string(),
    status: z.enum(["pending", "running", "completed"]),
    source,
    language: z.string(),
    instructions: JSONDocument,
    result: z.object({ space: z.string(), revision: z.string() }).optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
    /** Durations in milliseconds; words as they were sent to the provider. */
    stats: z.object({
      runs: z.number().int(),
      totalWords: z.number().int(),
      totalPages: z.number().int(),
      totalDuration: z.number().int(),
      latestRunDuration: z.number().int(),
      latestPages: z.number().int(),
      latestWords: z.number().int(),
    }),
    permissions: permissions("view", "edit"),
    urls: urls("location"),
    /** Why the latest run made nothing; absent when it did. */
    error: z
      .object({
        code: z.enum(["NO_PROVIDER", "PROVIDER_ERROR", "SOURCE_NOT_FOUND", "TOO_LARGE", "FAILED"]),
        message: z.string(),
      })
      .optional(),
  })
  .meta({ id: "Translation" });
export const Translations = listOf(Translation);

export const List = z.object({ organizationId: id, ...paging });
export const One = z.object({ organizationId: id, translationId: id });
export const Create = z.object({
  organizationId: id,
  source: z.object({ space: id, language }),
  language,
  instructions: jsonDocument.optional(),
});
export const Update = One.extend({ instructions: jsonDocument });
