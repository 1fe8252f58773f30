import { id, language, listOf, paging, text, timestamp } from "@octavo/shared/contracts/fields";
import { z } from "zod";

/** Operations of one request, and entries of one organization. */
export const MOST_OPERATIONS = 500;
export const MOST_ENTRIES = 2000;

/** A term by language; at least one. */
const translations = z
  .partialRecord(language, text(255, 1).regex(/^[^\n\r]*$/, "must be on one line"))
  .refine((terms) => Object.keys(terms).length > 0, "must have a term of at least one language");

const operation = z.discriminatedUnion("type", [
  z.object({ type: z.literal("insert"), translations }),
  z.object({ type: z.literal("update"), id, translations }),
  z.object({ type: z.literal("delete"), id }),
]);

export const GlossaryEntry = z
  .object({
    object: z.literal("glossary-entry"),
    id: z.string(),
    translations: z.record(z.string(), z.string()),
    createdAt: timestamp,
    updatedAt: timestamp,
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: "GlossaryEntry" });
export const GlossaryEntries = listOf(GlossaryEntry);

export const List = z.object({ organizationId: id, ...paging });
export const One = z.object({ organizationId: id, glossaryEntryId: id });
export const Update = z.object({
  organizationId: id,
  operations: z.array(operation).min(1).max(MOST_OPERATIONS),
});
