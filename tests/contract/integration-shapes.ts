import { z } from "zod";
import { flags, id, timestamp, uri } from "./basics.js";
import { Organization } from "./organization-shapes.js";
import { Site } from "./site-shapes.js";
import { Space } from "./space-shapes.js";

const status = z.enum(["active", "pending", "paused"]);
const values = z.record(z.string(), z.unknown());

export const Block = z.strictObject({
  id: z.string(),
  title: z.string().min(2).max(40),
  description: z.string().max(150).optional(),
  icon: z.string().optional(),
  urlUnfurl: z.array(z.string()).optional(),
  markdown: z.strictObject({ codeblock: z.string(), body: z.string() }).optional(),
});
const component = z.strictObject({ componentId: z.string() });
const ContentSource = z.strictObject({
  id: z.string(),
  title: z.string().min(2).max(40),
  description: z.string().max(150).optional(),
  icon: z.string().optional(),
  configuration: component,
});
const described = { title: z.string().max(30).optional(), description: z.string().max(100).optional() };
const property = z.discriminatedUnion("type", [
  z.strictObject({
    ...described,
    type: z.literal("string"),
    default: z.string().optional(),
    completion_url: z.string().optional(),
    enum: z.array(z.string()).optional(),
  }),
  z.strictObject({ ...described, type: z.literal("number"), default: z.number().optional() }),
  z.strictObject({ ...described, type: z.literal("boolean"), default: z.boolean().optional() }),
  z.strictObject({
    ...described,
    type: z.literal("button"),
    callback_url: z.string(),
    button_text: z.string(),
  }),
]);
const form = z.union([
  z.strictObject({ properties: z.record(z.string(), property), required: z.array(z.string()).optional() }),
  component,
]);
const scope = z.enum([
  ...(["space:views:read", "space:content:read", "space:content:write", "space:metadata:read"] as const),
  ...(["space:metadata:write", "space:script:inject", "space:script:cookies", "space:git:sync"] as const),
  ...(["space:visitor:auth", "site:metadata:read", "site:views:read", "site:script:inject"] as const),
  ...(["site:script:cookies", "site:visitor:auth", "site:adaptive:read", "site:adaptive:write"] as const),
  ...(["site:ai:ask", "openapi:read", "openapi:write", "conversations:ingest"] as const),
  // Of another release of the interface.
  "page:feedback:read",
]);

export const Integration = z.strictObject({
  object: z.literal("integration"),
  name: z.string(),
  version: z.number().int(),
  title: z.string().min(2).max(30),
  description: z.string().max(100).optional(),
  summary: z.string().max(2048).optional(),
  previewImages: z.array(z.string()).max(3),
  target: z.enum(["all", "site", "space", "organization"]),
  verified: z.boolean(),
  visibility: z.enum(["public", "private", "unlisted"]),
  scopes: z.array(scope),
  categories: z.array(
    z.enum(["analytics", "collaboration", "content", "gitsync", "marketing", "visitor-auth", "other"]),
  ),
  blocks: z.array(Block).optional(),
  contentSources: z.array(ContentSource).optional(),
  configurations: z
    .strictObject({ account: form.optional(), space: form.optional(), site: form.optional() })
    .optional(),
  externalLinks: z.array(z.strictObject({ url: uri, label: z.string() })).max(5),
  owner: Organization,
  urls: z.strictObject({
    location: uri,
    icon: uri.optional(),
    app: uri,
    assets: uri,
    publicEndpoint: uri,
  }),
  permissions: flags("admin"),
  contentSecurityPolicy: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
});

export const Installation = z.strictObject({
  id,
  status,
  space_selection: z.enum(["all", "selected"]),
  site_selection: z.enum(["all", "selected"]),
  spaces: z.number().int(),
  configuration: values,
  createdAt: timestamp,
  updatedAt: timestamp,
  urls: z.strictObject({ location: uri, app: uri, publicEndpoint: uri }),
  externalIds: z.array(z.string()).max(5),
  target: z.strictObject({ organization: id }),
});

const onContent = {
  integration: z.string(),
  installation: id,
  status,
  configuration: values,
  externalIds: z.array(z.string()).max(5),
  urls: z.strictObject({ location: uri, publicEndpoint: uri }),
};
export const SpaceInstallation = z.strictObject({ ...onContent, space: z.union([id, Space]) });
export const SiteInstallation = z.strictObject({ ...onContent, site: z.union([id, Site]) });
export const Installed = z.strictObject({ installation: Installation, integration: Integration });
export const InstallationStatus = z.strictObject({ status });
export const IntegrationStatus = z.strictObject({ status, integration: Integration });
export const Blocks = z.array(z.strictObject({ name: z.string(), blocks: z.array(Block) }));
export const Scripts = z.array(
  z.strictObject({ script: uri, contentSecurityPolicy: z.string().optional(), cookies: z.boolean() }),
);

const eventBase = { eventId: id, installationId: id };
const onSpace = { ...eventBase, spaceId: id };
const onSite = { ...eventBase, siteId: id };
const anyLevel = {
  eventId: id,
  installationId: id.optional(),
  spaceId: id.optional(),
  siteId: id.optional(),
};
const setup = {
  status,
  previous: z.strictObject({ status, configuration: values.optional() }).optional(),
};
const ended = { previous: z.strictObject({ configuration: values.optional() }) };
const synced = { revisionId: id, commitId: z.string() };
const visibility = z.enum([
  ...(["public", "unlisted", "share-link", "visitor-auth", "in-collection", "private"] as const),
]);
const seen = {
  visitor: z.strictObject({
    anonymousId: z.string(),
    cookies: z.record(z.string(), z.string()),
    userAgent: z.string(),
    ip: z.string(),
    language: z.string().optional(),
  }),
  url: z.string(),
  referrer: z.string(),
  pageId: id.optional(),
};
const auth = z.strictObject({ userId: id }).optional();
const theme = z.enum(["light", "dark"]);
const context = z.discriminatedUnion("type", [
  z.strictObject({ theme, type: z.literal("configuration_account"), organizationId: id }),
  z.strictObject({ theme, type: z.literal("configuration_space"), spaceId: id }),
  z.strictObject({ theme, type: z.literal("configuration_site"), siteId: id }),
  z.strictObject({
    theme,
    type: z.literal("configuration_contentsource"),
    organizationId: id,
    spaceId: id.optional(),
  }),
  z.strictObject({ theme, type: z.literal("document"), spaceId: id, editable: z.boolean() }),
]);
const computed = { sourceId: z.string(), props: values, dependencies: z.record(z.string(), z.unknown()) };

/** What a script receives, and events are listed with. */
export const PlatformEvent = z.discriminatedUnion("type", [
  z.strictObject({ ...eventBase, type: z.literal("installation_setup"), ...setup }),
  z.strictObject({ ...eventBase, type: z.literal("installation_deleted"), ...ended }),
  z.strictObject({ ...onSpace, type: z.literal("space_installation_setup"), ...setup }),
  z.strictObject({ ...onSpace, type: z.literal("space_installation_deleted"), ...ended }),
  z.strictObject({ ...onSite, type: z.literal("site_installation_setup"), ...setup }),
  z.strictObject({ ...onSite, type: z.literal("site_installation_deleted"), ...ended }),
  z.strictObject({ ...onSpace, type: z.literal("space_content_updated"), revisionId: id }),
  z.strictObject({ ...onSpace, type: z.literal("space_gitsync_started"), ...synced }),
  z.strictObject({
    ...onSpace,
    type: z.literal("space_gitsync_completed"),
    state: z.enum(["success", "failure"]),
    ...synced,
  }),
  z.strictObject({
    ...onSpace,
    type: z.literal("space_visibility_updated"),
    previousVisibility: visibility,
    visibility,
  }),
  z.strictObject({ ...onSpace, type: z.literal("space_view"), ...seen }),
  z.strictObject({
    ...onSite,
    type: z.literal("site_view"),
    ...seen,
    spaceId: id.optional(),
    siteSpaceId: id.optional(),
  }),
  z.strictObject({
    ...onSite,
    type: z.literal("page_feedback"),
    ...seen,
    spaceId: id.optional(),
    feedback: z.strictObject({
      rating: z.enum(["bad", "ok", "good"]),
      comment: z.string().min(1).max(512).optional(),
    }),
  }),
  z.strictObject({
    ...anyLevel,
    type: z.literal("fetch"),
    auth,
    request: z.strictObject({
      method: z.enum(["get", "post", "put", "delete"]),
      url: uri,
      headers: z.record(z.string(), z.string()),
    }),
  }),
  z.strictObject({ ...anyLevel, type: z.literal("fetch_published_script") }),
  z.strictObject({
    ...onSite,
    type: z.literal("fetch_visitor_authentication"),
    location: z.string().optional(),
  }),
  z.strictObject({
    ...anyLevel,
    type: z.literal("ui_render"),
    auth,
    componentId: z.string(),
    props: values,
    state: values.optional(),
    context,
    action: z.looseObject({ action: z.string() }).optional(),
  }),
  z.strictObject({ ...onSpace, type: z.literal("content_compute_revision"), ...computed }),
  z.strictObject({ ...onSpace, type: z.literal("content_compute_document"), ...computed }),
  // Of a later release of the interface.
  z.strictObject({ eventId: id, type: z.literal("task"), task: values }),
]);

export const RenderOutput = z.union([
  z.strictObject({
    type: z.literal("element").optional(),
    state: values,
    props: values,
    element: z.looseObject({ type: z.enum(["block", "modal", "configuration"]) }),
  }),
  z.strictObject({ type: z.literal("complete"), returnValue: values.optional() }),
]);

export const IntegrationEvent = z.strictObject({
  id,
  integrationId: z.string(),
  installationId: id.optional(),
  createdAt: timestamp,
  payload: PlatformEvent,
  status: z.enum(["success", "failed"]),
});

export const TracedEvent = z.strictObject({
  event: IntegrationEvent,
  trace: z
    .strictObject({
      logs: z.array(
        z.strictObject({
          message: z.string().optional(),
          timestamp: timestamp.optional(),
          level: z.enum(["debug", "info", "warn", "error"]).optional(),
        }),
      ),
    })
    .optional(),
});
