import { id, listOf, paging, permissions, segment, text, urls } from "@octavo/shared/contracts/fields";
import { organization } from "@octavo/shared/contracts/schemas/organization";
import { z } from "zod";
import {
  categories,
  category,
  description,
  externalLinks,
  integrationName,
  publishedFields,
  scope,
  target,
  visibility,
} from "../schemas/manifest.js";
import { png } from "./png.js";

export const Integration = z
  .object({
    object: z.literal("integration"),
    name: z.string(),
    version: z.number().int(),
    ...publishedFields,
    description,
    visibility,
    target,
    categories,
    externalLinks,
    previewImages: z.array(z.string()),
    verified: z.boolean(),
    owner: organization,
    urls: urls("location", "app", "assets", "publicEndpoint").extend({ icon: z.string().optional() }),
    permissions: permissions("admin"),
  })
  .meta({ id: "Integration" });
export const Integrations = listOf(Integration);
export type Integration = z.output<typeof Integration>;

const SCRIPT_BYTES = 5 * 1024 * 1024;
/** Most bytes of the body of a publication: a script whose every byte may be escaped, and four pictures in base64. */
export const PUBLISH_BYTES = 2 * SCRIPT_BYTES + 6 * 1024 * 1024;

const script = text(SCRIPT_BYTES, 1).refine(
  (source) => source.length > SCRIPT_BYTES || Buffer.byteLength(source) <= SCRIPT_BYTES,
  `must be at most ${SCRIPT_BYTES} bytes`,
);
const secrets = z
  .record(text(100, 1), text(10_000))
  .refine((map) => Object.keys(map).length <= 20, "must be at most 20 secrets");

/** A publication says everything anew; what it leaves out is gone, but for the visibility, which stays. */
export const Publish = z.object({
  integrationName,
  organization: text(100, 1),
  runtime: z.enum(["v1", "v2"]).default("v1"),
  script,
  ...publishedFields,
  description,
  visibility: visibility.optional(),
  target: target.default("all"),
  categories: categories.default([]),
  externalLinks: externalLinks.default([]),
  icon: png(250 * 1024).optional(),
  previewImages: z
    .array(png(1024 * 1024))
    .max(3)
    .default([]),
  secrets: secrets.default({}),
});

/** The filters of a list of integrations; all that are given hold. */
export const filters = {
  search: text(200).optional(),
  category: category.optional(),
  blockDomain: integrationName.optional(),
  blocks: z.boolean().optional(),
  contentSources: z.boolean().optional(),
  owner: id.optional(),
  scope: scope.optional(),
  target: target.optional(),
};
export const List = z.object({ ...filters, ...paging });
export const ListInOrganization = z.object({ organizationId: id, ...filters, ...paging });
export const Named = z.object({ integrationName: segment });
export type PublishInput = z.input<typeof Publish>;
