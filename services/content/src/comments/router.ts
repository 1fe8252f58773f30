import { id, noContent, trusted, type z } from "@octavo/shared/fields";
import { del, get, post, put, router } from "../trpc.js";
import * as commenters from "./commenters.js";
import * as replies from "./replies.js";
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
  const here = <Input extends z.ZodObject>(input: Input) =>
    (Thing === "Space"
      ? input.omit({ changeRequestId: true })
      : input.extend({ changeRequestId: id })) as unknown as Input;
  const all = `${base}/comments` as const;
  const one = `${all}/{commentId}` as const;
  const answers = `${one}/replies` as const;
  const answer = `${answers}/{commentReplyId}` as const;

  return router({
    list: get(all, { operationId: `listCommentsIn${Thing}` })
      .input(here(List))
      .output(trusted(Comments))
      .query(rules.list),
    post: post(all, { status: 200, operationId: `postCommentIn${Thing}` })
      .input(here(Post))
      .output(Comment)
      .mutation(rules.post),
    get: get(one, { operationId: `getCommentIn${Thing}` })
      .input(here(Get))
      .output(Comment)
      .query(rules.get),
    update: put(one, { operationId: `updateCommentIn${Thing}` })
      .input(here(Update))
      .output(Comment)
      .mutation(rules.update),
    remove: del(one, { operationId: `deleteCommentIn${Thing}` })
      .input(here(Remove))
      .output(noContent)
      .mutation(rules.remove),
    listReplies: get(answers, { operationId: `listCommentRepliesIn${Thing}` })
      .input(here(ListReplies))
      .output(trusted(Replies))
      .query(replies.list),
    postReply: post(answers, {
      status: 200,
      operationId: `postCommentReplyIn${Thing}`,
      query: ["format"],
    })
      .input(here(PostReply))
      .output(Reply)
      .mutation(replies.post),
    getReply: get(answer, { operationId: `getCommentReplyIn${Thing}` })
      .input(here(GetReply))
      .output(Reply)
      .query(replies.get),
    updateReply: put(answer, { operationId: `updateCommentReplyIn${Thing}` })
      .input(here(UpdateReply))
      .output(Reply)
      .mutation(replies.update),
    removeReply: del(answer, { operationId: `deleteCommentReplyIn${Thing}` })
      .input(here(RemoveReply))
      .output(noContent)
      .mutation(replies.remove),
    listCommenters: get(`${base}/commenters`, { operationId: `listCommentersIn${Thing}` })
      .input(here(ListCommenters))
      .output(Commenters)
      .query(commenters.list),
  });
}

export const spaceComments = commentRoutes("/spaces/{spaceId}", "Space");
export const changeRequestComments = commentRoutes(
  "/spaces/{spaceId}/change-requests/{changeRequestId}",
  "ChangeRequest",
);
