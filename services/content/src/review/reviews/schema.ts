import { id, listOf, paging, timestamp, user } from "@octavo/shared/contracts/fields";
import { z } from "zod";
import { sentDocument } from "../../documents/schema.js";
import { Comment, LONGEST } from "../comments/schema.js";

const target = { spaceId: id, changeRequestId: id };
const status = z.enum(["changes-requested", "approved"]);

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
  /** Becomes a comment on the change request, unless it is empty. */
  comment: sentDocument(LONGEST).optional(),
});
