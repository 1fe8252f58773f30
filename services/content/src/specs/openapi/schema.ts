import {
  httpUrl,
  id,
  listOf,
  paging,
  permissions,
  segment,
  text,
  timestamp,
} from "@octavo/shared/contracts/fields";
import { readUrl } from "@octavo/shared/read-url";
import { z } from "zod";

/** Characters of a document that is sent as a text. */
export const MOST_TEXT = 8 * 1024 * 1024;

const slug = z
  .string()
  .min(1)
  .max(100, { abort: true })
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be lower-case words with hyphens between them");

const url = httpUrl.refine((address) => {
  const { username = "", password = "" } = readUrl(address) ?? {};
  return username === "" && password === "";
}, "must hold no credentials");

const document = text(MOST_TEXT, 1);

/** Where a document comes from: an address that is looked at again and again, or a text. */
const source = z
  .object({ url: url.optional(), text: document.optional() })
  .refine(({ url, text }) => (url === undefined) !== (text === undefined), "must have either url or text")
  .meta({ id: "OpenAPISpecSource" });
export type Source = z.output<typeof source>;

const visibility = z.enum(["private", "public"]);

export const OpenAPISpec = z
  .object({
    object: z.literal("openapi-spec"),
    id: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
    slug: z.string(),
    sourceURL: z.string().optional(),
    processingState: z.enum(["pending", "progress", "complete"]),
    visibility,
    lastVersion: z.string().optional(),
    lastProcessedAt: timestamp.optional(),
    lastProcessErrorCode: z.enum(["FETCH_TIMEOUT", "FETCH_ERROR", "PARSE_ERROR"]).optional(),
    lastProcessedErrors: z.array(z.object({ message: z.string(), code: z.string().optional() })).optional(),
    permissions: permissions("view", "edit"),
    urls: z.object({ location: z.string(), app: z.string(), published: z.string().optional() }),
  })
  .meta({ id: "OpenAPISpec" });
export const OpenAPISpecs = listOf(OpenAPISpec);

export const List = z.object({ organizationId: id, ...paging });
export const One = z.object({ organizationId: id, specSlug: segment });
export const Create = z.object({ organizationId: id, slug, source });
export const CreateOrUpdate = z.object({ organizationId: id, specSlug: slug, source });
export const Update = One.extend({ visibility });
