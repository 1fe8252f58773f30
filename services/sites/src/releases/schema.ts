import { id, listOf, paging } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { OneSite, siteTitle } from "../access/schema.js";

export const SiteRelease = z
  .object({
    object: z.literal("site-release"),
    id: z.string(),
    title: z.string(),
    createdAt: z.string(),
    /** Whether it is what readers of the site are shown. */
    pinned: z.boolean(),
    /** How many spaces it holds. */
    spaces: z.number().int(),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: "SiteRelease" });
export type SiteRelease = z.output<typeof SiteRelease>;

/** A release with the revisions that it holds, of spaces that the caller may read. */
export const SiteReleaseContent = SiteRelease.extend({
  revisions: z.array(z.object({ space: z.string(), revision: z.string() })),
}).meta({ id: "SiteReleaseContent" });

export const SiteReleaseList = listOf(SiteRelease);
export const List = OneSite.extend(paging);
export const Create = OneSite.extend({
  title: siteTitle,
  /** Whether readers are shown it at once. */
  pin: z.boolean().default(false),
});
export const OneRelease = OneSite.extend({ siteReleaseId: id });
export const Update = OneRelease.extend({ title: siteTitle.optional() });
