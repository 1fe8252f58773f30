import type { ResolvedTarget } from "../../revisions/target.js";
import type * as queries from "./queries.js";

/** Where a scope has the comment with an id. */
export const commentKey = ({ version }: ResolvedTarget, id: string): queries.CommentKey => ({
  branch: version.branch,
  parent: null,
  id,
});

/** Where a scope has the reply to a comment. */
export const replyKey = (
  scope: ResolvedTarget,
  { commentId, commentReplyId }: Record<"commentId" | "commentReplyId", string>,
) => ({
  branch: scope.version.branch,
  parent: commentId,
  id: commentReplyId,
});
