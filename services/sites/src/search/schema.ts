import { id, listOf, paging, text } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { OneSite, shareKey } from "../access/schema.js";

const siteSpaceIds = z.array(id).min(1).max(1000);
const scope = z.discriminatedUnion("mode", [
  /** The default site space of each section, and others besides. */
  z.object({ mode: z.literal("default"), includedSiteSpaces: z.array(id).max(1000).optional() }),
  z.object({ mode: z.literal("specific"), siteSpaceIds }),
  z.object({ mode: z.literal("all") }),
]);
export type Scope = z.output<typeof scope>;

/** The scope, or its deprecated form: a mode with the ids that it takes; ids alone are those of `specific`. */
export const Search = OneSite.extend({
  query: text(512, 1),
  scope: scope.optional(),
  mode: z.enum(["specific", "current", "all"]).optional(),
  siteSpaceIds: siteSpaceIds.optional(),
  siteSpaceId: id.optional(),
  ...paging,
  shareKey,
}).superRefine(({ scope, mode, siteSpaceIds, siteSpaceId }, context) => {
  const miss = (path: string) =>
    context.addIssue({ code: "custom", path: [path], message: "must say what is searched" });
  if (scope || mode === "all") return;
  if (mode === "current" && siteSpaceId === undefined) miss("siteSpaceId");
  else if (mode === "specific" && siteSpaceIds === undefined) miss("siteSpaceIds");
  else if (mode === undefined && siteSpaceIds === undefined) miss("scope");
});

/** `published` only while the site is. */
const urls = z.object({ app: z.string(), published: z.string().optional() });
const Section = z.object({
  id: z.string(),
  title: z.string(),
  path: z.string(),
  body: z.string(),
  urls,
});
const Page = z.object({
  id: z.string(),
  title: z.string(),
  path: z.string(),
  /** The pages and groups that it lies in, from the top. */
  ancestors: z.array(z.object({ id: z.string(), title: z.string() })),
  sections: z.array(Section).optional(),
  urls,
});
export const SiteSearchResults = listOf(
  z.object({ id: z.string(), title: z.string(), pages: z.array(Page) }).meta({ id: "SiteSearchSpaceResult" }),
);
