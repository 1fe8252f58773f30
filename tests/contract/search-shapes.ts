import { z } from "zod";
import { id, uri } from "./basics.js";

// What a search finds, as the contract shapes it.

const section = z.strictObject({
  id: z.string(),
  title: z.string(),
  path: z.string(),
  body: z.string(),
  urls: z.strictObject({ app: uri }),
});
export const PageResult = z.strictObject({
  id,
  title: z.string(),
  path: z.string(),
  sections: z.array(section).optional(),
  urls: z.strictObject({ app: uri }),
});
export const SpaceResult = z.strictObject({ id, title: z.string(), pages: z.array(PageResult) });

// Ours, beyond the interface: what a page lies in, and where it is published.
const published = z.strictObject({ app: uri, published: uri.optional() });
const ancestors = z.array(z.strictObject({ id, title: z.string() }));
const SitePageResult = PageResult.extend({
  ancestors,
  urls: published,
  sections: z.array(section.extend({ urls: published })).optional(),
});
export const SiteSpaceResult = SpaceResult.extend({ pages: z.array(SitePageResult) });
