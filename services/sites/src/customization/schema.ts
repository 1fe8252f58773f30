import { httpUrl, id, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { OneSite, siteTitle } from "../access/schema.js";
import {
  announcement,
  enabled,
  favicon,
  font,
  footerGroups,
  headerLinks,
  monospaceFont,
  themedColor,
  themedUrl,
} from "./fields.js";

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

const groups = {
  styling,
  internationalization: z.object({
    locale: z.enum(["en", "fr", "es", "zh", "ja", "de", "nl", "no", "pt-br", "ru"]),
  }),
  header: z.object({
    /** Deprecated, as are the two colours. */
    preset: z.enum(["default", "bold", "contrast", "custom", "none"]),
    logo: themedUrl.optional(),
    backgroundColor: themedColor.optional(),
    linkColor: themedColor.optional(),
    links: headerLinks,
  }),
  footer: z.object({
    logo: themedUrl.optional(),
    groups: footerGroups,
    copyright: text(300).optional(),
  }),
  themes: z.object({ default: z.enum(["light", "dark"]), toggeable: z.boolean() }),
  pdf: enabled,
  feedback: enabled,
  git: z.object({ showEditLink: z.boolean() }),
  externalLinks: z.object({ target: z.enum(["self", "blank"]) }),
  pagination: enabled,
  trademark: enabled,
  privacyPolicy: z.object({ url: httpUrl.optional() }),
  socialPreview: z.object({ url: httpUrl.optional() }),
};

const ai = z
  .object({
    mode: z.enum(["none", "search", "assistant", "integration"]),
    integrationId: id.optional(),
  })
  .refine(({ mode, integrationId }) => mode !== "integration" || integrationId !== undefined, {
    path: ["integrationId"],
    message: "must name the integration that responds",
  });

/** How a site looks. */
export const SiteCustomizationSettings = z
  .object({
    title: siteTitle.optional(),
    ...groups,
    favicon,
    announcement: announcement.optional(),
    ai,
    advancedCustomization: enabled,
    pageActions: z.object({ externalAI: z.boolean(), markdown: z.boolean() }),
    insights: z.object({ trackingCookie: z.boolean().default(true) }),
  })
  .meta({ id: "SiteCustomizationSettings" });
export type SiteCustomizationSettings = z.output<typeof SiteCustomizationSettings>;

/** Has no effect: nothing of a look is hidden here that another flag would show. */
const unmasked = z.boolean().default(false);
export const OneSiteSpace = OneSite.extend({ siteSpaceId: id });
export const Get = OneSite.extend({ unmasked });
export const Update = OneSite.extend(SiteCustomizationSettings.shape);
export const GetOfSiteSpace = OneSiteSpace.extend({ unmasked });

/** The fields of a group, each of which may be left as it is, or null for that of the site. */
function overriding<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  type Fields = { [Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key]>> };
  const fields = Object.entries(shape).map(([key, field]) => [key, z.nullish(field)]);
  // Cast: the entries of an object lose which name has which field.
  return z.object(Object.fromEntries(fields) as Fields).optional();
}

const { sidebar } = styling.shape;

/** What a site space has otherwise than its site. Fonts are the site's alone. */
export const Overrides = z.object({
  title: siteTitle.nullish(),
  styling: overriding(styling.omit({ font: true, monospaceFont: true, sidebar: true }))
    .unwrap()
    .extend({ sidebar: overriding(sidebar) })
    .optional(),
  internationalization: overriding(groups.internationalization),
  favicon: favicon.nullish(),
  announcement: announcement.nullish(),
  header: overriding(groups.header),
  footer: overriding(groups.footer),
  themes: overriding(groups.themes),
  pdf: overriding(groups.pdf),
  feedback: overriding(groups.feedback),
  git: overriding(groups.git),
  externalLinks: overriding(groups.externalLinks),
  pagination: overriding(groups.pagination),
  trademark: overriding(groups.trademark),
  privacyPolicy: overriding(groups.privacyPolicy),
  socialPreview: overriding(groups.socialPreview),
});
export const UpdateOfSiteSpace = OneSiteSpace.extend(Overrides.shape);
