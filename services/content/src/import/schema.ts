import { httpUrl, id, listOf, paging, timestamp } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { SKIP_REASONS } from "./material/skipped.js";
import { SOURCES } from "./material/sources.js";

const wanted = { url: httpUrl, source: z.enum(SOURCES) };
export const ImportContent = z.object({ spaceId: id, changeRequestId: id.optional(), ...wanted });
export const ImportIntoPage = ImportContent.extend({ pageId: id });

export const List = z.object({ spaceId: id, ...paging });
export const One = z.object({ spaceId: id, importId: id });

const counts = {
  /** Pages and files that came in, and those that there are. */
  importedResources: z.number().int(),
  totalResources: z.number().int(),
  /** What was left out: for each reason how often, and the first of the paths or addresses. */
  skipped: z
    .array(z.object({ reason: z.enum(SKIP_REASONS), count: z.number().int(), paths: z.array(z.string()) }))
    .optional(),
};

export const ImportContentResult = z
  .object({
    /** What the import made; with 202, while it goes on, what it goes into. */
    revision: z.string(),
    ...counts,
    /** The id of the import, by which its state is read. */
    import: z.string(),
  })
  .meta({ id: "ImportContentResult" });

export const ContentImport = z
  .object({
    object: z.literal("content-import"),
    id: z.string(),
    state: z.enum(["pending", "in-progress", "completed", "failed"]),
    source: z.enum(SOURCES),
    /** The host of the address; the rest of it may hold secrets. */
    host: z.string(),
    changeRequest: z.string().optional(),
    page: z.string().optional(),
    /** What it made, once it is completed. */
    revision: z.string().optional(),
    ...counts,
    /** Why it failed. */
    error: z.object({ message: z.string(), reason: z.string().optional() }).optional(),
    createdBy: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
    completedAt: timestamp.optional(),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: "ContentImport" });
export const ContentImports = listOf(ContentImport);
