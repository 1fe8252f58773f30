import { id, listOf, paging, timestamp, urls, user, z } from "@octavo/shared/fields";
import { JSONDocument } from "@octavo/shared/schemas/document";
import { sentDocument } from "../content/document-schema.js";

/** Most characters of a review's comment. */
const MAX_COMMENT = 100_000;
const target = { spaceId: id, changeRequestId: id };
const status = z.enum(["changes-requested", "approved"]);

/** What the reviewer said, as a comment on the change request. */
const Comment = z.object({
  object: z.literal("comment"),
  id: z.string(),
  postedBy: user,
  postedAt: timestamp,
  status: z.literal("open"),
  reactions: z.array(z.never()),
  replies: z.number().int(),
  body: z.object({ markdown: z.string().optional(), document: JSONDocument.optional() }),
  target: z.object({
    space: z.string(),
    changeRequest: z.string(),
    review: z.string(),
    revision: z.string(),
  }),
  urls: urls("location"),
  permissions: z.object({ view: z.boolean(), edit: z.boolean(), reply: z.boolean(), delete: z.boolean() }),
});

export const Review = z
  .object({
    object: z.literal("change-request-review"),
    id: z.string(),
    revision: z.string(),
    reviewer: user,
    requestedBy: user.optional(),
    status,
    outdated: z.boolean(),
    comment: Comment.optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "ChangeRequestReview" });

export const List = z.object({
  ...target,
  /** Only those that are outdated, or only those that are not. */
  outdated: z.boolean().optional(),
  format: z.enum(["document", "markdown"]).default("markdown"),
  ...paging,
});
export const Listed = listOf(Review);
export const Submit = z.object({
  ...target,
  status,
  comment: sentDocument(MAX_COMMENT).optional(),
});
