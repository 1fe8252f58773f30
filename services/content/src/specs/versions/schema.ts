import { id, listOf, paging, segment, timestamp } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { BREAKING_KINDS } from "../../openapi-documents/compare.js";

const breakingChange = z.object({
  kind: z.enum(BREAKING_KINDS),
  operation: z.string(),
  at: z.string().optional(),
});

export const OpenAPISpecVersion = z
  .object({
    object: z.literal("openapi-spec-version"),
    id: z.string(),
    createdAt: timestamp,
    url: z.string(),
    urls: z.object({ location: z.string() }),
    /** What clients of the version before cannot rely on, the first 200 of all; absent for the first version. */
    breakingChanges: z.object({ count: z.number().int(), items: z.array(breakingChange) }).optional(),
  })
  .meta({ id: "OpenAPISpecVersion" });
export const OpenAPISpecVersions = listOf(OpenAPISpecVersion);

/** A document with all its files in one, in the form in which parsers take several. */
export const OpenAPISpecContent = z
  .object({
    filesystem: z.array(
      z.object({
        dir: z.string(),
        isEntrypoint: z.boolean(),
        references: z.array(z.string()),
        filename: z.string(),
        specification: z.record(z.string(), z.unknown()),
      }),
    ),
    url: z.string(),
  })
  .meta({ id: "OpenAPISpecContent" });

const spec = { organizationId: id, specSlug: segment };
export const List = z.object({ ...spec, ...paging });
export const Latest = z.object(spec);
export const One = z.object({ ...spec, versionId: id });
