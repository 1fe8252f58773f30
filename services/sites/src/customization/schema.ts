import { text } from "@octavo/shared/contracts/fields";
import { contentRef } from "@octavo/shared/contracts/schemas/content-ref";
import { z } from "zod";
import { siteTitle } from "../access/schema.js";

const link = z.string().min(1).max(2048);
const themedUrl = z.object({ light: link, dark: link });
const color = z.string().regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, "must be a colour such as `#346DDB`");
const themedColor = z.object({ light: color, dark: color });
const enabled = z.object({ enabled: z.boolean() });

const fontDefinition = z.object({
  id: z.string(),
  custom: z.boolean(),
  fontFamily: text(50, 1),
  fontFaces: z
    .array(
      z.object({
        weight: z.number().int().min(1).max(1000),
        sources: z.array(z.object({ url: link, format: z.enum(["woff2", "woff"]).optional() })).min(1),
      }),
    )
    .min(1),
});
const font = z.union([
  z.enum([
    "ABCFavorit",
    "Inter",
    "Roboto",
    "RobotoSlab",
    "OpenSans",
    "SourceSansPro",
    "Lato",
    "Ubuntu",
    "Raleway",
    "Merriweather",
    "Overpass",
    "NotoSans",
    "IBMPlexSerif",
    "Poppins",
    "FiraSans",
  ]),
  fontDefinition,
]);
const monospaceFont = z.union([
  z.enum([
    "FiraCode",
    "IBMPlexMono",
    "JetBrainsMono",
    "SourceCodePro",
    "RobotoMono",
    "SpaceMono",
    "DMMono",
    "Inconsolata",
  ]),
  fontDefinition,
]);

const styling = z.object({
  theme: z.enum(["clean", "muted", "bold", "gradient"]),
  primaryColor: themedColor,
  tint: z.object({ color: themedColor }).optional(),
  infoColor: themedColor,
  successColor: themedColor,
  warningColor: themedColor,
  dangerColor: themedColor,
  corners: z.enum(["straight", "rounded", "circular"]),
  depth: z.enum(["subtle", "flat"]),
  links: z.enum(["default", "accent"]),
  font,
  monospaceFont,
  /** Deprecated. */
  background: z.enum(["plain", "match"]),
  icons: z.enum(["regular", "solid", "duotone", "light", "thin"]),
  sidebar: z.object({ background: z.enum(["default", "filled"]), list: z.enum(["default", "pill", "line"]) }),
  search: z.enum(["prominent", "subtle"]),
});

const contentLink = z.object({ title: text(64), to: contentRef });
const headerItem = z.object({
  title: z.string(),
  style: z.enum(["link", "button-primary", "button-secondary"]).optional(),
  to: contentRef.nullable(),
  links: z.array(contentLink),
  condition: text(1024, 1).optional(),
});
const favicon = z.union([
  z.strictObject({ icon: themedUrl }),
  z.strictObject({ emoji: text(50) }),
  z.strictObject({}),
]);

/** How a site looks. */
export const SiteCustomizationSettings = z
  .object({
    title: siteTitle.optional(),
    styling,
    internationalization: z.object({
      locale: z.enum(["en", "fr", "es", "zh", "ja", "de", "nl", "no", "pt-br", "ru"]),
    }),
    favicon,
    header: z.object({
      /** Deprecated, as are the two colours. */
      preset: z.enum(["default", "bold", "contrast", "custom", "none"]),
      logo: themedUrl.optional(),
      backgroundColor: themedColor.optional(),
      linkColor: themedColor.optional(),
      links: z.array(headerItem),
    }),
    footer: z.object({
      logo: themedUrl.optional(),
      groups: z.array(z.object({ title: z.string(), links: z.array(contentLink) })),
      copyright: text(300).optional(),
    }),
    announcement: z
      .object({
        enabled: z.boolean(),
        message: text(128, 2),
        link: contentLink.optional(),
        style: z.enum(["info", "warning", "danger", "success"]),
      })
      .optional(),
    themes: z.object({ default: z.enum(["light", "dark"]), toggeable: z.boolean() }),
    pdf: enabled,
    feedback: enabled,
    ai: z.object({
      mode: z.enum(["none", "search", "assistant", "integration"]),
      integrationId: z.string().optional(),
    }),
    advancedCustomization: enabled,
    git: z.object({ showEditLink: z.boolean() }),
    pageActions: z.object({ externalAI: z.boolean(), markdown: z.boolean() }),
    externalLinks: z.object({ target: z.enum(["self", "blank"]) }),
    pagination: enabled,
    trademark: enabled,
    privacyPolicy: z.object({ url: link.optional() }),
    socialPreview: z.object({ url: link.optional() }),
    insights: z.object({ trackingCookie: z.boolean() }),
  })
  .meta({ id: "SiteCustomizationSettings" });
export type SiteCustomizationSettings = z.output<typeof SiteCustomizationSettings>;
