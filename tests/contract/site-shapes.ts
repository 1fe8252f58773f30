import { z } from "zod";
import { id, timestamp, User, uri } from "./basics.js";
import { Space } from "./space-shapes.js";

const siteType = z.enum(["basic", "premium", "ultimate", "sponsored", "legacy-basic", "legacy-premium"]);
const title = z.string().min(2).max(128);

export const Site = z.strictObject({
  object: z.literal("site"),
  id,
  type: siteType,
  title,
  icon: z.looseObject({}).nullable().optional(),
  hostname: z.string().optional(),
  basename: z.string().min(1).max(100).optional(),
  proxy: z.strictObject({ origin: z.string(), target: z.string() }).optional(),
  visibility: z.enum(["public", "unlisted", "share-link", "visitor-auth"]),
  published: z.boolean(),
  siteSpaces: z.number().int(),
  createdAt: timestamp,
  adaptiveContent: z.strictObject({ enabled: z.boolean() }).optional(),
  ads: z.looseObject({ status: z.string() }).optional(),
  agentsContext: z.enum(["excluded", "included"]),
  features: z.array(
    z.strictObject({
      id: z.string(),
      plan: siteType,
      frozen: z.boolean(),
      customizations: z.array(z.string()).optional(),
    }),
  ),
  urls: z.strictObject({ location: uri, app: uri, published: uri.optional() }),
});

/** An extension of the interface. */
export const SiteRelease = z.strictObject({
  object: z.literal("site-release"),
  id,
  title,
  createdAt: timestamp,
  pinned: z.boolean(),
  spaces: z.number().int(),
  urls: z.strictObject({ location: uri }),
});
export const SiteReleaseContent = SiteRelease.extend({
  revisions: z.array(z.strictObject({ space: id, revision: id })),
});

export const SiteSpace = z.strictObject({
  object: z.literal("site-space"),
  id,
  path: z.string().min(1).max(100),
  section: id.optional(),
  space: Space,
  title: z.string(),
  default: z.boolean().optional(),
  condition: z.string().optional(),
  hasAdvancedCustomizationFeature: z.boolean().optional(),
  urls: z.strictObject({ published: uri.optional() }),
});

export const SiteSection = z.strictObject({
  object: z.literal("site-section"),
  id,
  title,
  description: z.string().max(256).optional(),
  default: z.boolean().optional(),
  path: z.string().min(1).max(100),
  condition: z.string().optional(),
  sectionGroup: id.optional(),
  siteSpaces: z.array(SiteSpace),
  urls: z.strictObject({ published: uri.optional() }),
  icon: z.string().optional(),
});

/** Nested groups came later: they are listed beside the sections. */
export const SiteSectionGroup = z.strictObject({
  object: z.literal("site-section-group"),
  id,
  title: z.string().min(1).max(100),
  sections: z.array(SiteSection),
  sectionGroup: id.optional(),
  children: z.array(z.unknown()).optional(),
  icon: z.string().optional(),
});

export const SiteStructure = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("sections"),
    structure: z.array(z.union([SiteSection, SiteSectionGroup])),
  }),
  z.strictObject({ type: z.literal("siteSpaces"), structure: z.array(SiteSpace) }),
]);

const color = z.string().regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/);
const themedColor = z.strictObject({ light: color, dark: color });
const themedUrl = z.strictObject({ light: uri, dark: uri });
const enabled = z.strictObject({ enabled: z.boolean() });
const link = z.strictObject({ title: z.string().max(64), to: z.looseObject({ kind: z.string() }) });
/** One of the fonts that come along, or a definition. */
const font = z.union([z.string(), z.looseObject({ id: z.string(), custom: z.boolean() })]);

export const Customization = z.strictObject({
  title: title.optional(),
  styling: z.strictObject({
    theme: z.enum(["clean", "muted", "bold", "gradient"]),
    primaryColor: themedColor,
    tint: z.strictObject({ color: themedColor }).optional(),
    infoColor: themedColor,
    successColor: themedColor,
    warningColor: themedColor,
    dangerColor: themedColor,
    corners: z.enum(["straight", "rounded", "circular"]),
    depth: z.enum(["subtle", "flat"]),
    links: z.enum(["default", "accent"]),
    font,
    monospaceFont: font,
    background: z.enum(["plain", "match"]),
    icons: z.enum(["regular", "solid", "duotone", "light", "thin"]),
    sidebar: z.strictObject({
      background: z.enum(["default", "filled"]),
      list: z.enum(["default", "pill", "line"]),
    }),
    search: z.enum(["prominent", "subtle"]),
  }),
  internationalization: z.strictObject({
    locale: z.enum(["en", "fr", "es", "zh", "ja", "de", "nl", "no", "pt-br", "ru"]),
  }),
  favicon: z.union([
    z.strictObject({ icon: themedUrl }),
    z.strictObject({ emoji: z.string() }),
    z.strictObject({}),
  ]),
  header: z.strictObject({
    preset: z.enum(["default", "bold", "contrast", "custom", "none"]),
    logo: themedUrl.optional(),
    backgroundColor: themedColor.optional(),
    linkColor: themedColor.optional(),
    links: z.array(z.looseObject({ title: z.string(), links: z.array(link) })),
  }),
  footer: z.strictObject({
    logo: themedUrl.optional(),
    groups: z.array(z.strictObject({ title: z.string(), links: z.array(link) })),
    copyright: z.string().max(300).optional(),
  }),
  announcement: z.looseObject({ enabled: z.boolean(), message: z.string() }).optional(),
  themes: z.strictObject({ default: z.enum(["light", "dark"]), toggeable: z.boolean() }),
  pdf: enabled,
  feedback: enabled,
  ai: z.strictObject({
    mode: z.enum(["none", "search", "assistant", "integration"]),
    integrationId: z.string().optional(),
  }),
  advancedCustomization: enabled,
  git: z.strictObject({ showEditLink: z.boolean() }),
  pageActions: z.strictObject({ externalAI: z.boolean(), markdown: z.boolean() }),
  externalLinks: z.strictObject({ target: z.enum(["self", "blank"]) }),
  pagination: enabled,
  trademark: enabled,
  privacyPolicy: z.strictObject({ url: uri.optional() }),
  socialPreview: z.strictObject({ url: uri.optional() }),
  insights: z.strictObject({ trackingCookie: z.boolean() }),
});

export const PublishedContentSite = z.strictObject({
  object: z.literal("published-content-site"),
  site: Site,
  structure: SiteStructure,
  customizations: z.strictObject({
    site: Customization,
    siteSpaces: z.record(z.string(), Customization),
  }),
  scripts: z.array(
    z.strictObject({ script: uri, contentSecurityPolicy: z.string().optional(), cookies: z.boolean() }),
  ),
});

export const UserSitePermission = z.strictObject({
  permission: z.enum(["admin", "create", "edit", "review", "comment", "read"]).nullable(),
  user: User,
  origin: z.union([
    z.strictObject({ type: z.literal("organization"), organization: id }),
    z.strictObject({ type: z.literal("space"), space: id }),
  ]),
});

export const ShareLink = z.strictObject({
  object: z.literal("share-link"),
  id,
  createdAt: timestamp,
  name: z.string().max(50).optional(),
  active: z.boolean().optional(),
  urls: z.strictObject({ published: uri.optional() }),
});

const description = z.string();
const primitiveClaim = z.union([
  z.strictObject({ type: z.enum(["boolean", "number"]), description }),
  z.strictObject({ type: z.literal("string"), enum: z.array(z.string()).optional(), description }),
]);
const claim = z.union([
  primitiveClaim,
  z.strictObject({ type: z.literal("array"), description, items: primitiveClaim }),
  z.strictObject({
    type: z.literal("object"),
    description,
    get properties(): z.ZodRecord<z.ZodString, z.ZodType> {
      return z.record(z.string(), claim);
    },
    additionalProperties: z.literal(false),
  }),
]);

export const AdaptiveSchema = z.strictObject({
  object: z.literal("site-adaptive-schema"),
  jsonSchema: z.strictObject({
    $schema: z.literal("http://json-schema.org/draft-07/schema#").optional(),
    type: z.literal("object"),
    properties: z.record(z.string(), claim),
    additionalProperties: z.literal(false),
  }),
  updatedAt: timestamp,
});

export const TemplateConditions = z.strictObject({
  items: z.array(z.strictObject({ description: z.string(), condition: z.string().min(1).max(1024) })),
});

export const CustomHostname = z.strictObject({
  object: z.literal("custom-hostname"),
  hostname: z.string(),
  target: z.strictObject({ type: z.literal("site"), site: id }),
  isActive: z.boolean(),
  status: z.string().optional(),
  record: z.strictObject({ type: z.literal("TXT"), name: z.string(), value: z.string() }),
  urls: z.strictObject({ location: uri }),
});

export const PublishedSiteContent = z.strictObject({
  organization: id,
  site: id,
  version: z.number().int(),
  siteSection: id.optional(),
  siteSpace: id,
  space: id,
  changeRequest: id.optional(),
  revision: id.optional(),
  pathname: z.string(),
  basePath: z.string(),
  siteBasePath: z.string(),
  apiToken: z.string(),
  shareKey: z.string().optional(),
  complete: z.boolean(),
  contextId: z.string().optional(),
  canonicalUrl: uri,
});

export const PublishingAuth = z.strictObject({
  object: z.literal("publishing-auth"),
  backend: z.enum(["custom", "integration"]),
  privateKey: z.string(),
  fallbackURL: uri.optional(),
  integration: z.string().optional(),
});

export const SiteRedirect = z.strictObject({
  object: z.literal("site-redirect"),
  id,
  source: z.string().max(512),
  destination: z.union([
    z.strictObject({ kind: z.literal("site-section"), siteSectionId: id }),
    z.strictObject({ kind: z.literal("site-space"), siteSpaceId: id }),
    z.strictObject({ kind: z.literal("site-page"), siteSpaceId: id, pageId: id }),
    // Ours, beyond the interface.
    z.strictObject({ kind: z.literal("path"), path: z.string() }),
    z.strictObject({ kind: z.literal("url"), url: uri }),
  ]),
});

export const SiteMcpServer = z.strictObject({
  object: z.literal("site-mcp-server"),
  id,
  name: z.string().min(1).max(100),
  url: uri,
  headers: z.record(z.string(), z.string().min(1).max(512)),
  urls: z.strictObject({ location: uri }),
});

export const FontDefinition = z.strictObject({
  id,
  custom: z.boolean(),
  fontFamily: z.string().min(1).max(50),
  fontFaces: z
    .array(
      z.strictObject({
        weight: z.number().int().min(1).max(1000),
        sources: z.array(z.strictObject({ url: uri, format: z.enum(["woff2", "woff"]).optional() })).min(1),
      }),
    )
    .min(1),
  permissions: z.strictObject({ edit: z.boolean() }),
});

export const InsightsAggregation = z.strictObject({
  columns: z.array(
    z.strictObject({ column: z.string(), claim: z.string().optional(), values: z.array(z.unknown()) }),
  ),
});
