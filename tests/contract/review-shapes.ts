import { z } from "zod";
import { flags, id, timestamp, User, uri } from "./basics.js";

// Comments, reviews and who takes part, as the contract shapes them.

const remark = {
  id,
  postedBy: User,
  postedAt: timestamp,
  editedAt: timestamp.optional(),
  reactions: z.array(
    z.strictObject({
      emoji: z.string(),
      count: z.number().int(),
      users: z.array(z.strictObject({ user: User, reactedAt: timestamp })),
    }),
  ),
  body: z.union([
    z.strictObject({ markdown: z.string() }),
    z.strictObject({ document: z.looseObject({ object: z.literal("document") }) }),
  ]),
  urls: z.strictObject({ location: uri }),
  permissions: flags("view", "edit", "reply", "delete"),
};

const openComment = z.strictObject({
  object: z.literal("comment"),
  ...remark,
  replies: z.number().int(),
  status: z.literal("open"),
  target: z.strictObject({
    node: z.strictObject({ id: z.string(), preview: z.string().optional() }).optional(),
    tableCell: z.strictObject({ record: z.string(), definition: z.string() }).optional(),
    changeRequest: id.optional(),
    review: id.optional(),
    page: z
      .strictObject({
        id,
        title: z.string().min(1),
        emoji: z.string().max(50).optional(),
        icon: z.string().max(50).optional(),
        createdAt: timestamp.optional(),
        updatedAt: timestamp.optional(),
        path: z.string(),
        outdated: z.boolean(),
      })
      .optional(),
    space: id,
    revision: id,
  }),
});
export const Comment = z.discriminatedUnion("status", [
  openComment,
  openComment.extend({ status: z.literal("resolved"), resolvedAt: timestamp, resolvedBy: User }),
]);

export const Review = z.strictObject({
  object: z.literal("change-request-review"),
  id,
  revision: id,
  reviewer: User,
  requestedBy: User.optional(),
  status: z.enum(["changes-requested", "approved"]),
  outdated: z.boolean(),
  comment: Comment.optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const CommentReply = z.strictObject({ object: z.literal("comment-reply"), ...remark });

const asked = {
  object: z.literal("change-request-requested-reviewer"),
  revision: id,
  requestedBy: User,
  createdAt: timestamp,
};
export const RequestedReviewer = z.discriminatedUnion("kind", [
  z.strictObject({ ...asked, kind: z.literal("user"), user: User }),
  z.strictObject({
    ...asked,
    kind: z.literal("team"),
    team: z.strictObject({ object: z.literal("team"), id }),
  }),
]);

export const Contributor = z.strictObject({
  user: User,
  count: z.number().int().min(1),
  updatedAt: timestamp,
  actionType: z.enum(["edit", "comment"]),
});
