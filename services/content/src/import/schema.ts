import { httpUrl, id } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { SKIP_REASONS } from "./skipped.js";

export const SOURCES = [
  "website",
  "docx",
  "markdown",
  "html",
  "zip",
  "confluence",
  "github-wiki",
  "notion",
  "google-docs",
] as const;
export type Source = (typeof SOURCES)[number];

const wanted = { url: httpUrl, source: z.enum(SOURCES) };
export const ImportContent = z.object({ spaceId: id, changeRequestId: id.optional(), ...wanted });
export const ImportIntoPage = ImportContent.extend({ pageId: id });

export const ImportContentResult = z
  .object({
    revision: z.string(),
    /** Pages and files that came in, and those that there are. */
    importedResources: z.number().int(),
    totalResources: z.number().int(),
    /** What was left out: for each reason how often, and the first of the paths or addresses. */
    skipped: z
      .array(z.object({ reason: z.enum(SKIP_REASONS), count: z.number().int(), paths: z.array(z.string()) }))
      .optional(),
  })
  .meta({ id: "ImportContentResult" });
