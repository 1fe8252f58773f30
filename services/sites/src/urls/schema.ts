import { text } from "@octavo/shared/contracts/fields";
import { z } from "zod";

/** Addresses of previews hold a token with claims. */
const address = z.url({ protocol: /^https?$/ }).max(20_480);
/** Bytes of claims, which travel in the token that renderers read with. */
const MOST_CLAIMS = 2_048;
const LONGEST_JWT = 4_096;

const jwtToken = text(LONGEST_JWT, 1);
const unsignedClaims = z
  .record(z.string(), z.unknown())
  .refine(
    (claims) => JSON.stringify(claims).length <= MOST_CLAIMS,
    `must be at most ${MOST_CLAIMS} characters of JSON`,
  );

const redirectOnError = z.boolean().default(false);

export const GetPublished = z.object({
  url: address,
  visitorAuthToken: jwtToken.optional(),
  redirectOnError,
});

export const ResolvePublished = z.object({
  url: address,
  redirectOnError,
  visitor: z
    .object({ jwtToken: jwtToken.optional(), unsignedClaims: unsignedClaims.optional() })
    .meta({ id: "SiteVisitorPayload" })
    .optional(),
});

const Redirect = z.object({
  /** Whether it leads to the application, to other content of the site, or to somewhere else. */
  target: z.enum(["application", "content", "external"]),
  redirect: z.string(),
});

export const PublishedSiteContent = z
  .object({
    organization: z.string(),
    site: z.string(),
    /** Changes with the structure, the look, the redirects and the audience of the site. */
    version: z.number().int(),
    siteSection: z.string().optional(),
    siteSpace: z.string(),
    space: z.string(),
    /** The revision of the space that readers see now. */
    revision: z.string(),
    /** The part of the path that the site takes; its pages and other spaces lie below. */
    siteBasePath: z.string(),
    /** The part of the path that the space takes. */
    basePath: z.string(),
    /** The path of the page within the space, with a slash before it. */
    pathname: z.string(),
    /** Whether a longer address that begins with this one leads to the same space. */
    complete: z.boolean(),
    canonicalUrl: z.string(),
    /** The key of the share link that stands in the address, in lower case. */
    shareKey: z.string().optional(),
    /** Reads what the site shows, for half an hour at least, as long as its audience is not narrowed. */
    apiToken: z.string(),
  })
  .meta({ id: "PublishedSiteContent" });
export type PublishedSiteContent = z.output<typeof PublishedSiteContent>;

export const PublishedSiteContentLookup = z
  .union([PublishedSiteContent, Redirect])
  .meta({ id: "PublishedSiteContentLookup" });
export type PublishedSiteContentLookup = z.output<typeof PublishedSiteContentLookup>;

/** What the process that shows sites is told besides. */
export const FoundContentLookup = z.union([
  PublishedSiteContent.extend({
    /**
     * Segments, in lower case, that may follow `basePath` and lead to another space or to nothing: with any other one an
     * address leads to this space.
     */
    others: z.array(z.string()).readonly(),
  }),
  Redirect,
]);
export type FoundContentLookup = z.output<typeof FoundContentLookup>;
