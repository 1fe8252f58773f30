import { emoji, httpUrl, id, text } from "@octavo/shared/contracts/fields";
import { type ContentRef, contentRef } from "@octavo/shared/contracts/schemas/content-ref";
import { z } from "zod";
import { condition } from "../claims/condition.js";

/** Links of one list, groups of a footer, faces of a font: as many as a page can show. */
const MOST = 100;

const color = z.string().regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, "must be a colour such as `#346DDB`");
export const themedColor = z.object({ light: color, dark: color });
export const themedUrl = z.object({ light: httpUrl, dark: httpUrl });
export const enabled = z.object({ enabled: z.boolean() });

/** An address, a path of this host, or an anchor; what a browser would run is none of them. */
const isLinkable = (ref: ContentRef): boolean =>
  ref.kind !== "url" ||
  (/^(https?:\/\/[^/\\]|mailto:|tel:|\/(?![/\\])|#)/i.test(ref.url) && !/\p{Cc}/u.test(ref.url));
/** What a link of the header, the footer or the announcement leads to. */
export const linkTarget = contentRef.refine(isLinkable, {
  path: ["url"],
  message:
    "must be an address of http, https, mailto or tel, a path that begins with one slash, or an anchor",
});
export const contentLink = z.object({ title: text(64), to: linkTarget });

export const headerItem = z.object({
  title: text(128),
  style: z.enum(["link", "button-primary", "button-secondary"]).optional(),
  to: linkTarget.nullable(),
  links: z.array(contentLink).max(MOST),
  condition: condition.optional(),
});
export const headerLinks = z.array(headerItem).max(MOST);
export const footerGroups = z
  .array(z.object({ title: text(128), links: z.array(contentLink).max(MOST) }))
  .max(MOST);

export const favicon = z.union([
  z.strictObject({ icon: themedUrl }),
  z.strictObject({ emoji }),
  z.strictObject({}),
]);

export const announcement = z.object({
  enabled: z.boolean(),
  message: text(128, 2),
  link: contentLink.optional(),
  style: z.enum(["info", "warning", "danger", "success"]),
});

/** The name of a font goes into style sheets. */
export const fontFamily = text(50, 1).regex(
  /^[^"'\\<>{};\p{C}]+$/u,
  "must not hold quotes, brackets, backslashes, semicolons or control characters",
);
export const fontFaces = z
  .array(
    z.object({
      weight: z.number().int().min(1).max(1000),
      sources: z
        .array(z.object({ url: httpUrl, format: z.enum(["woff2", "woff"]).optional() }))
        .min(1)
        .max(MOST),
    }),
  )
  .min(1)
  .max(MOST);
export const fontDefinition = z.object({ id, custom: z.boolean(), fontFamily, fontFaces });

export const font = z.union([
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
export const monospaceFont = z.union([
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
