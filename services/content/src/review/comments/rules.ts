import { transact } from "@octavo/shared/database/transact";
import { refuseAll } from "@octavo/shared/errors";
import { paginate } from "@octavo/shared/paginate";
import { auditComment } from "../../audit.js";
import { lockTarget, resolveTarget } from "../../revisions/target.js";
import type { Call } from "../../trpc.js";
import { addComment } from "./add.js";
import { bodyOf } from "./body.js";
import { allowComment, commentTarget } from "./change.js";
import { commentKey } from "./place.js";
import { presentComments } from "./present.js";
import * as queries from "./queries.js";
import type { Get, List, Post, Remove } from "./schema.js";
import { show } from "./show.js";

// A comment is a remark on a space's primary content or on a change request, or on a page of it. What is stated here
// of a space holds for a change request too: the scope says which of them the path names.

/**
 * Lists the comments on a version that match the filter, sorted by when they were posted, without replies; 404 for a
 * version out of reach.
 */
export async function list({ ctx, input }: Call<typeof List>) {
  const scope = await resolveTarget(ctx, input);
  const { space, version } = scope;
  const query = queries.inBranch(ctx, version.branch, input);
  return paginate({
    query,
    count: () => queries.countIn(ctx, { space, branch: version.branch }, input),
    by: [{ column: "comment.posted_at", direction: input.order }],
    key: "comment.id",
    input,
    view: (rows) => presentComments(ctx, scope, rows, input.format),
  });
}

/** Returns a comment; 404 when there is none on this version. */
export async function get({ ctx, input }: Call<typeof Get>) {
  return show(ctx, await resolveTarget(ctx, input), input.commentId, input.format);
}

/**
 * Posts a comment, on a merged or archived change request too; 403 for who may not comment, 404 for a page that is not
 * there, 400 for a node without its page or a cell without its node.
 */
export async function post({ ctx, input }: Call<typeof Post>) {
  const { page, node, tableCell } = input;
  const { scope, read } = await transact(ctx, async (ctx) => {
    const scope = await lockTarget(ctx, input, "space.comment");
    refuseLooseTarget(input);
    const body = bodyOf(input.body);
    return { scope, read: await addComment(ctx, scope, { body, page, node, tableCell }) };
  });
  return (await presentComments(ctx, scope, [await read()], "markdown", { areNew: true }))[0]!;
}

/** A node is one of a page, a cell one of a node. */
function refuseLooseTarget({
  page,
  node,
  tableCell,
}: Pick<Call<typeof Post>["input"], "page" | "node" | "tableCell">) {
  refuseAll([
    ...(node !== undefined && page === undefined ? [{ path: "body.node", message: "needs its `page`" }] : []),
    ...(tableCell && node === undefined ? [{ path: "body.tableCell", message: "needs its `node`" }] : []),
  ]);
}

/** Removes a comment with its replies; 403 for who may not delete it. No error when there is none. */
export async function remove({ ctx, input }: Call<typeof Remove>) {
  await transact(ctx, async (ctx) => {
    const scope = await lockTarget(ctx, input, "space.comment");
    const { space, organization, version } = scope;
    const row = await queries.lock(ctx, commentKey(scope, input.commentId));
    if (!row) return;
    allowComment(ctx, scope, row, "comment.delete", "Comment");
    if (row.resolved_at === null) await queries.countOpen(ctx, { space, branch: version.branch }, -1);
    await queries.remove(ctx, row.id);
    const details = { ...commentTarget(scope), postedBy: row.posted_by };
    await auditComment(ctx, "comment.delete", { id: row.id, organization }, details);
  });
}
