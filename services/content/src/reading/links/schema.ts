import { id, listOf, paging, segment, user } from "@octavo/shared/contracts/fields";
import { organization } from "@octavo/shared/contracts/schemas/organization";
import { space } from "@octavo/shared/contracts/schemas/space";
import { z } from "zod";
import { Collection } from "../../library/collections/schema.js";
import { File, Page, ReusableContent, Revision } from "../../pages/schema.js";
import { ChangeRequest } from "../../review/change-requests/schema.js";

const status = z.enum(["ok", "broken", "in-app"]).meta({ id: "ContentReferenceStatus" });

/** A revision without all that it holds. */
const LocatedRevision = Revision.omit({
  pages: true,
  files: true,
  reusableContents: true,
  variables: true,
}).meta({
  id: "LocatedRevision",
});
const versionContext = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("revision"), revision: LocatedRevision }),
    z.object({ type: z.literal("changeRequest"), changeRequest: ChangeRequest }),
  ])
  .optional();
const within = { organization, space, versionContext };
const internalLocation = z.object({ type: z.literal("anchor"), anchor: z.string() }).optional();

/** Where content lies, absolutely: with whole objects instead of ids. */
export const ContentLocation = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("file"), ...within, file: File }),
    z.object({ kind: z.literal("url"), url: z.string() }),
    z.object({ kind: z.literal("page"), ...within, page: Page, internalLocation }),
    z.object({ kind: z.literal("user"), user }),
    z.object({ kind: z.literal("collection"), organization, collection: Collection }),
    z.object({ kind: z.literal("space"), organization, space }),
    z.object({ kind: z.literal("reusable-content"), ...within, reusableContent: ReusableContent }),
  ])
  .meta({ id: "ContentLocation" });
export type ContentLocation = z.output<typeof ContentLocation>;

const Usage = z
  .object({
    status,
    relation: z.enum(["reference", "dependsOn"]),
    targetReference: ContentLocation.optional(),
    locationReferences: z.array(ContentLocation),
  })
  .meta({ id: "ContentReferenceUsage" });
const stats = z
  .object({
    total: z.number().int(),
    broken: z.object({ total: z.number().int(), changeRequest: z.number().int().optional() }),
  })
  .meta({ id: "ContentReferencesStats" });

export const Links = listOf(Usage).extend({ stats }).meta({ id: "ContentReferenceUsageList" });
export const Backlinks = listOf(ContentLocation);

/** What names the content; which of the ids there are depends on where the routes are mounted. */
const target = { spaceId: id, changeRequestId: id.optional() };

export const ListLinks = z.object({ ...target, ...paging, status: status.optional() });
export const ListChangeRequestLinks = z.object({
  spaceId: id,
  changeRequestId: id,
  ...paging,
  status: status.optional(),
  /** Broken links alone: those that the change request broke, or those that are broken without it. */
  brokenContext: z.enum(["change-request", "space"]).optional(),
});
export const ListPageLinks = z.object({ ...target, pageId: id, ...paging, status: status.optional() });
export const ListPageBacklinks = z.object({ ...target, pageId: id, ...paging });
export const ListFileBacklinks = z.object({ ...target, fileId: segment, ...paging });
