import { z } from "zod";
import { flags, id, timestamp, uri } from "./basics.js";

// OpenAPI specifications and their versions as the contract shapes them.

export const OpenAPISpec = z.strictObject({
  object: z.literal("openapi-spec"),
  id,
  createdAt: timestamp,
  updatedAt: timestamp,
  slug: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  sourceURL: uri.optional(),
  processingState: z.enum(["pending", "progress", "complete"]),
  visibility: z.enum(["private", "public"]).optional(),
  lastVersion: id.optional(),
  lastProcessedAt: timestamp.optional(),
  lastProcessErrorCode: z.enum(["FETCH_TIMEOUT", "FETCH_ERROR", "PARSE_ERROR"]).optional(),
  lastProcessedErrors: z
    .array(z.strictObject({ message: z.string(), code: z.string().optional() }))
    .optional(),
  permissions: flags("view", "edit"),
  urls: z.strictObject({ location: uri, app: uri, published: uri.optional() }),
});

export const OpenAPISpecVersion = z.strictObject({
  object: z.literal("openapi-spec-version"),
  id,
  createdAt: timestamp.optional(),
  url: uri,
  urls: z.strictObject({ location: uri }),
  // Ours, beyond the interface.
  breakingChanges: z
    .strictObject({ count: z.number().int(), items: z.array(z.looseObject({ kind: z.string() })) })
    .optional(),
});

export const OpenAPISpecContent = z.strictObject({
  filesystem: z.array(
    z.strictObject({
      dir: z.string(),
      isEntrypoint: z.boolean(),
      references: z.array(z.string()),
      filename: z.string(),
      specification: z.looseObject({}),
    }),
  ),
  url: uri,
});
