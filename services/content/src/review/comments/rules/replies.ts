import { userOf } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { auditCommentReply } from "../../../audit.js";
import { keepPerson } from "../../../people/queries.js";
import { lockTarget, type ResolvedTarget, resolveTarget } from "../../../revisions/target.js";
import type { Call, Ctx } from "../../../trpc.js";
import { credit } from "../add.js";
import { bodyOf } from "../body.js";
import { allowComment, change, commentTarget } from "../change.js";
import { commentKey, replyKey } from "../place.js";
import { presentReplies } from "../present.js";
import * as queries from "../queries.js";
import type { Format, GetReply, ListReplies, PostReply, RemoveReply, UpdateReply } from "../schema.js";

// Replies to a comment are flat, the first comes first.

/** Lists the replies to a comment, the first posted first, with their count; 404 when there is no such comment. */
export async function listReplies({ ctx, input }: Call<typeof ListReplies>) {
  const scope = await resolveTarget(ctx, input);
  const { id, replies } = found(await queries.find(ctx, commentKey(scope, input.commentId)), "Comment");
  return paginate({
    query: queries.repliesTo(ctx, id),
    count: () => replies,
    by: [{ column: "comment.posted_at" }],
    key: "comment.id",
    input,
    view: (rows) => presentReplies(ctx, scope, rows, input.format),
  });
}

/** Returns a reply; 404 when there is none on this version. */
export async function getReply({ ctx, input }: Call<typeof GetReply>) {
  const scope = await resolveTarget(ctx, input);
  return show(ctx, replyKey(scope, input), input.format, scope);
}

/** Posts a reply to a comment; 404 when there is no such comment, 403 for who may not reply here. */
export async function postReply({ ctx, input }: Call<typeof PostReply>) {
  const { scope, read } = await transact(ctx, async (ctx) => {
    const scope = await lockTarget(ctx, input, "comment.reply");
    const id = newId();
    const { id: person } = userOf(ctx);
    const body = bodyOf(input.body);
    const { space, version } = scope;
    const { id: parent } = found(await queries.lock(ctx, commentKey(scope, input.commentId)), "Comment");
    await queries.countReplies(ctx, parent, 1);
    await credit(ctx, scope);
    const read = await queries.insert(ctx, {
      id,
      space,
      parent,
      body,
      branch: version.branch,
      revision: version.revision,
      posted_by: person,
      posted_at: ctx.clock(),
    });
    await record(ctx, "create", scope, { id, parent });
    return { scope, read };
  });
  return (await presentReplies(ctx, scope, [await read()], input.format, { areNew: true }))[0]!;
}

/**
 * Edits, resolves, reopens or reacts to a reply; 404 when there is none, 403 for who may not comment, or edits what
 * somebody else wrote.
 */
export async function updateReply({ ctx, input }: Call<typeof UpdateReply>) {
  const scope = await transact(ctx, async (ctx) => {
    const scope = await lockTarget(ctx, input, "space.comment");
    const { id: person } = userOf(ctx);
    const body = input.body && bodyOf(input.body);
    const row = found(await queries.lock(ctx, replyKey(scope, input)), "Reply");
    if (body !== undefined) allowComment(ctx, scope, row, "comment.edit", "Reply");
    const changes = await change(ctx, person, row, { ...input, body });
    if (Object.keys(changes).length === 0) return scope;
    await keepPerson(ctx);
    await record(ctx, "update", scope, { id: row.id, parent: input.commentId }, changes);
    return scope;
  });
  return show(ctx, replyKey(scope, input), "markdown", scope);
}

/**
 * Removes a reply; 403 for who may not delete it. No error when there is none. The comment is locked before its reply,
 * in the order in which it would go with all of its replies.
 */
export async function removeReply({ ctx, input }: Call<typeof RemoveReply>) {
  await transact(ctx, async (ctx) => {
    const scope = await lockTarget(ctx, input, "space.comment");
    const comment = await queries.lock(ctx, commentKey(scope, input.commentId));
    const row = comment && (await queries.lock(ctx, replyKey(scope, input)));
    if (!row) return;
    allowComment(ctx, scope, row, "comment.delete", "Reply");
    await queries.remove(ctx, row.id);
    await queries.countReplies(ctx, comment.id, -1);
    await record(ctx, "delete", scope, { id: row.id, parent: comment.id }, { postedBy: row.posted_by });
  });
}

const record = (
  ctx: Ctx,
  deed: "create" | "update" | "delete",
  scope: ResolvedTarget,
  { id, parent }: { id: string; parent: string },
  details: Parameters<typeof auditCommentReply>[3] = {},
) =>
  auditCommentReply(
    ctx,
    `comment-reply.${deed}`,
    { id, organization: scope.organization },
    { ...commentTarget(scope), comment: parent, ...details },
  );

async function show(ctx: Ctx, place: queries.CommentKey, format: Format, scope: ResolvedTarget) {
  const row = found(await queries.find(ctx, place), "Reply");
  return (await presentReplies(ctx, scope, [row], format))[0]!;
}
