import { text } from "@octavo/shared/contracts/fields";
import { z } from "zod";

// What an integration says of itself when it is published, and what a read shows of that.

/** The name of an integration in paths, and of a block domain in queries. */
export const integrationName = text(100, 1).regex(
  /^[a-zA-Z0-9\-_.]+$/,
  "may hold letters, digits, - _ and .",
);

export const visibility = z.enum(["public", "private", "unlisted"]);
export const target = z.enum(["all", "site", "space", "organization"]);
export const category = z.enum([
  "analytics",
  "collaboration",
  "content",
  "gitsync",
  "marketing",
  "visitor-auth",
  "other",
]);

/** The scopes of every release of the interface: scripts of all of them can be published. */
export const scope = z.enum([
  "space:views:read",
  "space:content:read",
  "space:content:write",
  "space:metadata:read",
  "space:metadata:write",
  "space:script:inject",
  "space:script:cookies",
  "space:git:sync",
  "space:visitor:auth",
  "page:feedback:read",
  "site:metadata:read",
  "site:views:read",
  "site:script:inject",
  "site:script:cookies",
  "site:visitor:auth",
  "site:visitor:claims",
  "site:adaptive:read",
  "site:adaptive:write",
  "site:ai:ask",
  "openapi:read",
  "openapi:write",
  "conversations:ingest",
]);
export type Scope = z.output<typeof scope>;

const componentId = text(200, 1);
const component = z.object({ componentId });

const block = z
  .object({
    id: componentId,
    title: text(40, 2),
    description: text(150).optional(),
    icon: text(2048).optional(),
    urlUnfurl: z.array(text(2048)).max(50).optional(),
    markdown: z.object({ codeblock: text(200), body: text(200) }).optional(),
  })
  .meta({ id: "IntegrationBlock" });

const contentSource = z
  .object({
    id: componentId,
    title: text(40, 2),
    description: text(150).optional(),
    icon: text(2048).optional(),
    configuration: component,
  })
  .meta({ id: "IntegrationContentSource" });

const described = { title: text(30).optional(), description: text(100).optional() };
const property = z.discriminatedUnion("type", [
  z.object({
    ...described,
    type: z.literal("string"),
    default: text(10_000).optional(),
    completion_url: text(2048).optional(),
    enum: z.array(text(1000)).max(1000).optional(),
  }),
  z.object({ ...described, type: z.literal("number"), default: z.number().optional() }),
  z.object({ ...described, type: z.literal("boolean"), default: z.boolean().optional() }),
  z.object({ ...described, type: z.literal("button"), callback_url: text(2048), button_text: text(200) }),
]);

/** How one level of an installation is configured: by a form of properties, or by a component of the integration. */
export const configuration = z.union([
  z.object({
    properties: z.record(text(200, 1), property),
    required: z
      .array(text(200, 1))
      .refine((names) => new Set(names).size === names.length, "must not name a property twice")
      .optional(),
  }),
  component,
]);
export type Configuration = z.output<typeof configuration>;

const configurations = z
  .object({
    account: configuration.optional(),
    space: configuration.optional(),
    site: configuration.optional(),
  })
  .meta({ id: "IntegrationConfigurations" });

const directives =
  "base-uri block-all-mixed-content child-src connect-src default-src font-src form-action frame-ancestors frame-src " +
  "img-src manifest-src media-src navigate-to object-src plugin-types prefetch-src referrer report-to report-uri " +
  "require-sri-for require-trusted-types-for sandbox script-src script-src-attr script-src-elem style-src " +
  "style-src-attr style-src-elem trusted-types upgrade-insecure-requests worker-src";

// A policy becomes the value of a header: a line break must not start another one.
const policy = text(10_000).regex(/^[^\r\n]*$/, "must be one line");
const contentSecurityPolicy = z.union([
  policy,
  z.object(Object.fromEntries(directives.split(" ").map((name) => [name, policy.optional()]))),
]);

/** The fields that a publication gives and a read returns as they were given. */
export const publishedFields = {
  title: text(30, 2),
  summary: text(2048).optional(),
  scopes: z.array(scope).max(50),
  blocks: z.array(block).max(100).optional(),
  contentSources: z.array(contentSource).max(100).optional(),
  configurations: configurations.optional(),
  contentSecurityPolicy: contentSecurityPolicy.optional(),
};

export const description = text(100);
export const categories = z.array(category).max(20);
const link = z.url({ protocol: /^(https?|mailto)$/ }).max(2048);
export const externalLinks = z.array(z.object({ url: link, label: text(200) })).max(5);

const manifest = z.object({ ...publishedFields, description, visibility, target, categories, externalLinks });
export type Manifest = z.output<typeof manifest>;
