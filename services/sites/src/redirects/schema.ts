import { httpUrl, id, listOf, paging, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { OneSite } from "../access/schema.js";

const SEGMENTS = String.raw`(?:\/(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+)`;
const hasDots = (path: string) => path.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
const pathLike = (pattern: string, what: string) =>
  text(512, 1)
    .regex(new RegExp(`^${pattern}$`), what)
    .refine((path) => !hasDots(path), "must have no segments of dots");

/** Beyond the interface, a path may end with `/*`, which stands for everything below it. */
const pattern = pathLike(
  `(?:${SEGMENTS}+(?:\\/\\*)?|\\/\\*)`,
  "must be a path such as `/old/page`, or `/old/*`",
);

// Beyond the interface: another path of the site, and an address anywhere.
const toPath = z.object({ kind: z.literal("path"), path: pattern });
const toUrl = z.object({ kind: z.literal("url"), url: httpUrl });
const destination = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("site-section"), siteSectionId: id }),
  z.object({ kind: z.literal("site-space"), siteSpaceId: id }),
  z.object({ kind: z.literal("site-page"), siteSpaceId: id, pageId: id }),
  toPath,
  toUrl,
]);
export type Destination = z.output<typeof destination>;

export const SiteRedirect = z
  .object({
    object: z.literal("site-redirect"),
    id: z.string(),
    source: z.string(),
    destination,
  })
  .meta({ id: "SiteRedirect" });
export type SiteRedirect = z.output<typeof SiteRedirect>;

export const OneRedirect = OneSite.extend({ siteRedirectId: id });
export const List = OneSite.extend({
  ...paging,
  /** A part of the source, in any case. */
  search: text(512).optional(),
});
export const SiteRedirectList = listOf(SiteRedirect);
export const Create = OneSite.extend({ source: pattern, destination });
export const Update = OneRedirect.extend({ source: pattern.optional(), destination: destination.optional() });

/** Redirects in one import, at most. */
const AT_ONCE = 500;
export const ImportMany = OneSite.extend({
  redirects: z
    .array(z.object({ source: pattern, destination: z.discriminatedUnion("kind", [toPath, toUrl]) }))
    .min(1)
    .max(AT_ONCE),
});
/** How many redirects an import has made of what. */
export const ImportedRedirects = z
  .object({ created: z.number(), updated: z.number(), unchanged: z.number() })
  .meta({ id: "ImportedSiteRedirects" });

export const GetBySource = OneSite.extend({
  source: pathLike(`${SEGMENTS}+\\/?`, "must be a path such as `/old/page`"),
  shareKey: z.string().max(512).optional(),
});
export const Resolved = z
  .object({
    /** The first of the redirects that lead from the source to the target. */
    redirect: SiteRedirect,
    target: z.string(),
  })
  .meta({ id: "ResolvedSiteRedirect" });
