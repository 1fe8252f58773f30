import { id, noContent } from "@octavo/shared/contracts/fields";
import { skipOutputValidation } from "@octavo/shared/rest/skip-output-validation";
import type { z } from "zod";
import { del, get, post, put, router } from "../../trpc.js";
import * as commenters from "./rules/list-commenters.js";
import * as replies from "./rules/replies.js";
import { update } from "./rules/update.js";
import * as rules from "./rules.js";
import {
  Comment,
  Commenters,
  Comments,
  Get,
  GetReply,
  List,
  ListCommenters,
  ListReplies,
  Post,
  PostReply,
  Remove,
  RemoveReply,
  Replies,
  Reply,
  Update,
  UpdateReply,
} from "./schema.js";

/** The comments on a space's primary content or on a change request: one rule each, two mounts. */
function commentRoutes(base: `/${string}`, Thing: "Space" | "ChangeRequest") {
  // The rules take both; a change request is named by the path, or not at all.
  // Cast: the rules take the field as one that may be there, so they take both forms.
  const here = <Input extends z.ZodObject>(input: Input) =>
    (Thing === "Space"
      ? input.omit({ changeRequestId: true })
      : input.extend({ changeRequestId: id })) as unknown as Input;
  const where = Thing === "Space" ? "a space" : "a change request";
  const all = `${base}/comments` as const;
  const one = `${all}/{commentId}` as const;
  const allReplies = `${one}/replies` as const;
  const oneReply = `${allReplies}/{commentReplyId}` as const;

  return router({
    list: get(all, {
      operationId: `listCommentsIn${Thing}`,
      permission: "space.access",
      summary: `List the comments on ${where}`,
    })
      .input(here(List))
      .output(skipOutputValidation(Comments))
      .query(rules.list),
    post: post(all, {
      status: 200,
      operationId: `postCommentIn${Thing}`,
      permission: "space.comment",
      summary: `Comment on ${where}, or on a page or block in it`,
    })
      .input(here(Post))
      .output(Comment)
      .mutation(rules.post),
    get: get(one, {
      operationId: `getCommentIn${Thing}`,
      permission: "space.access",
      summary: `Get a comment on ${where}`,
    })
      .input(here(Get))
      .output(Comment)
      .query(rules.get),
    update: put(one, {
      operationId: `updateCommentIn${Thing}`,
      permission: "space.comment",
      also: "The text is for its author alone (`comment.edit`).",
      summary: `Edit, resolve or react to a comment on ${where}`,
    })
      .input(here(Update))
      .output(Comment)
      .mutation(update),
    remove: del(one, {
      operationId: `deleteCommentIn${Thing}`,
      permission: "comment.delete",
      also: "Its author may as well, with `comment.edit`.",
      summary: `Delete a comment on ${where}, with its replies`,
    })
      .input(here(Remove))
      .output(noContent)
      .mutation(rules.remove),
    listReplies: get(allReplies, {
      operationId: `listCommentRepliesIn${Thing}`,
      permission: "space.access",
      summary: `List the replies to a comment on ${where}`,
    })
      .input(here(ListReplies))
      .output(skipOutputValidation(Replies))
      .query(replies.listReplies),
    postReply: post(allReplies, {
      status: 200,
      operationId: `postCommentReplyIn${Thing}`,
      permission: "comment.reply",
      summary: `Reply to a comment on ${where}`,
      query: ["format"],
    })
      .input(here(PostReply))
      .output(Reply)
      .mutation(replies.postReply),
    getReply: get(oneReply, {
      operationId: `getCommentReplyIn${Thing}`,
      permission: "space.access",
      summary: `Get a reply to a comment on ${where}`,
    })
      .input(here(GetReply))
      .output(Reply)
      .query(replies.getReply),
    updateReply: put(oneReply, {
      operationId: `updateCommentReplyIn${Thing}`,
      permission: "space.comment",
      also: "The text is for its author alone (`comment.edit`).",
      summary: `Edit or react to a reply to a comment on ${where}`,
    })
      .input(here(UpdateReply))
      .output(Reply)
      .mutation(replies.updateReply),
    removeReply: del(oneReply, {
      operationId: `deleteCommentReplyIn${Thing}`,
      permission: "comment.delete",
      also: "Its author may as well, with `comment.edit`.",
      summary: `Delete a reply to a comment on ${where}`,
    })
      .input(here(RemoveReply))
      .output(noContent)
      .mutation(replies.removeReply),
    listCommenters: get(`${base}/commenters`, {
      operationId: `listCommentersIn${Thing}`,
      permission: ["space.access", "organization.listMembers"],
      summary: `List who commented on ${where}`,
    })
      .input(here(ListCommenters))
      .output(Commenters)
      .query(commenters.listCommenters),
  });
}

export const spaceComments = commentRoutes("/spaces/{spaceId}", "Space");
export const changeRequestComments = commentRoutes(
  "/spaces/{spaceId}/change-requests/{changeRequestId}",
  "ChangeRequest",
);
