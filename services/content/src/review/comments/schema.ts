import {
  emoji,
  id,
  listOf,
  order,
  paging,
  permissions,
  text,
  timestamp,
  urls,
  user,
} from "@octavo/shared/contracts/fields";
import { member } from "@octavo/shared/contracts/schemas/member";
import { z } from "zod";
import { JSONDocument } from "../../documents/document-schema.js";
import { sentDocument } from "../../documents/schema.js";

/** Most characters of one comment. */
export const LONGEST = 65_536;
/** Most reactions that one request adds or takes away. */
const MOST_REACTIONS = 20;

const body = sentDocument(LONGEST).refine(
  ({ markdown, document }) => document !== undefined || !!markdown?.trim(),
  { error: "must not be empty" },
);
const format = z.enum(["document", "markdown"]).default("markdown");
export type Format = z.output<typeof format>;

const tableCell = z.object({ record: text(100, 1), definition: text(100, 1) });
const kinds = z.array(emoji.min(1)).max(MOST_REACTIONS).optional();
const reactions = { addedReactions: kinds, removedReactions: kinds };

/** What names the comment; which of the ids there are depends on where the routes are mounted. */
const mount = { spaceId: id, changeRequestId: id.optional() };
const one = { ...mount, commentId: id };
const reply = { ...one, commentReplyId: id };

export const List = z.object({
  ...mount,
  ...paging,
  order,
  format,
  status: z.enum(["all", "open", "resolved"]).default("all"),
  targetPage: id.optional(),
  authors: z.array(id).max(100).optional(),
});
export const Post = z.object({
  ...mount,
  body,
  page: id.optional(),
  /** The key of a block of the page. */
  node: text(100, 1).optional(),
  tableCell: tableCell.optional(),
});
export const Get = z.object({ ...one, format });
export const Update = z.object({
  ...one,
  ...reactions,
  resolved: z.boolean().optional(),
  body: body.optional(),
});
export const Remove = z.object(one);

export const ListReplies = z.object({ ...one, ...paging, format });
export const PostReply = z.object({ ...one, format, body });
export const GetReply = z.object({ ...reply, format });
export const UpdateReply = z.object({ ...reply, ...reactions, body: body.optional() });
export const RemoveReply = z.object(reply);

export const ListCommenters = z.object({ ...mount, ...paging });
export const Commenters = listOf(member);

const reaction = z
  .object({
    emoji: z.string(),
    count: z.number().int(),
    users: z.array(z.object({ user, reactedAt: timestamp })),
  })
  .meta({ id: "EmojiReaction" });
export type Reaction = z.output<typeof reaction>;

/** What a comment and a reply have in common. */
const shared = {
  id: z.string(),
  postedBy: user,
  postedAt: timestamp,
  editedAt: timestamp.optional(),
  reactions: z.array(reaction),
  body: z.union([z.object({ markdown: z.string() }), z.object({ document: JSONDocument })]),
  urls: urls("location"),
  permissions: permissions("view", "edit", "reply", "delete"),
};

const base = z.object({
  object: z.literal("comment"),
  ...shared,
  replies: z.number().int(),
  target: z.object({
    node: z.object({ id: z.string(), preview: z.string().optional() }).optional(),
    tableCell: tableCell.optional(),
    changeRequest: z.string().optional(),
    review: z.string().optional(),
    page: z
      .object({
        id: z.string(),
        title: z.string(),
        emoji: z.string().optional(),
        icon: z.string().optional(),
        createdAt: timestamp.optional(),
        updatedAt: timestamp.optional(),
        path: z.string(),
        /** The page is not there any more; this is how it was. */
        outdated: z.boolean(),
      })
      .optional(),
    space: z.string(),
    revision: z.string(),
  }),
});
export const Comment = z
  .discriminatedUnion("status", [
    base.extend({ status: z.literal("open") }),
    base.extend({ status: z.literal("resolved"), resolvedAt: timestamp, resolvedBy: user }),
  ])
  .meta({ id: "Comment" });
export type Comment = z.output<typeof Comment>;
export const Comments = listOf(Comment);

export const Reply = z.object({ object: z.literal("comment-reply"), ...shared }).meta({ id: "CommentReply" });
export type Reply = z.output<typeof Reply>;
export const Replies = listOf(Reply);
