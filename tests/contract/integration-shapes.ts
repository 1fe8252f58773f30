import { z } from "zod";
import { flags, id, timestamp, uri } from "./basics.js";
import { Organization } from "./organization-shapes.js";
import { Site } from "./site-shapes.js";
import { Space } from "./space-shapes.js";

const status = z.enum(["active", "pending", "paused"]);
const values = z.record(z.string(), z.unknown());
const form = z.looseObject({});

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
  scopes: z.array(z.string()),
  categories: z.array(
    z.enum(["analytics", "collaboration", "content", "gitsync", "marketing", "visitor-auth", "other"]),
  ),
  blocks: z.array(z.looseObject({ id: z.string(), title: z.string() })).optional(),
  contentSources: z.array(z.looseObject({ id: z.string(), title: z.string() })).optional(),
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
export const Blocks = z.array(
  z.strictObject({ name: z.string(), blocks: z.array(z.looseObject({ id: z.string(), title: z.string() })) }),
);
export const Scripts = z.array(
  z.strictObject({ script: uri, contentSecurityPolicy: z.string().optional(), cookies: z.boolean() }),
);

const eventBase = { eventId: id, installationId: id };
const setup = {
  status,
  previous: z.strictObject({ status, configuration: values.optional() }).optional(),
};
const PlatformEvent = z.discriminatedUnion("type", [
  z.strictObject({ ...eventBase, type: z.literal("installation_setup"), ...setup }),
  z.strictObject({ ...eventBase, spaceId: id, type: z.literal("space_installation_setup"), ...setup }),
  z.strictObject({ ...eventBase, siteId: id, type: z.literal("site_installation_setup"), ...setup }),
  z.strictObject({ ...eventBase, type: z.literal("space_content_updated"), spaceId: id, revisionId: id }),
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
