// What somebody says of a change request as it is now: that it may be merged, or that it has to change first.

import { userOf } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { auditChangeRequest } from "../../audit.js";
import { keepPerson } from "../../people/queries.js";
import { lockTarget, type ResolvedTarget, resolveTarget } from "../../revisions/target.js";
import { headOf } from "../../store/version.js";
import type { Call, Ctx } from "../../trpc.js";
import { lockUnmerged } from "../change-requests/lock-unmerged.js";
import { addComment } from "../comments/add.js";
import { sourceOf } from "../comments/body.js";
import { presentComments } from "../comments/present.js";
import * as comments from "../comments/queries.js";
import type { Format } from "../comments/schema.js";
import * as queries from "./queries.js";
import * as requested from "./requested.js";
import type { List, Submit } from "./schema.js";
import { view } from "./view.js";

/** Lists the reviews of a change request, the newest first; 404 when there is none. */
export async function list({ ctx, input }: Call<typeof List>) {
  const scope = await resolveTarget(ctx, input);
  return paginate({
    query: queries.ofChangeRequest(ctx, scope.changeRequest!.id, input.outdated),
    by: [{ column: "review.created_at", direction: "desc" }],
    key: "review.id",
    input,
    view: (rows) => present(ctx, scope, rows, input.format),
  });
}

/**
 * Gives a review, asked for or not. It replaces the reviewer's earlier review, and fulfils the request to
 * them and to their teams. 403 for who may not review, and for who opened the change request, 404 when there is none,
 * 400 for a merged or archived one.
 */
export async function submit({ ctx, input }: Call<typeof Submit>) {
  return transact(ctx, async (ctx) => {
    const scope = await lockTarget(ctx, input, "space.review");
    const { id: reviewer, teams } = userOf(ctx);
    const { id: change_request, author } = scope.changeRequest!;
    const owned = { id: change_request, organization: scope.organization };
    if (reviewer === author)
      refuse("FORBIDDEN", "Change request: its author can not review it", { reason: "own_change_request" });
    const comment = input.comment && sourceOf(input.comment, "body.comment");
    await lockUnmerged(ctx, change_request, "reviewed");
    await keepPerson(ctx);
    const { revision } = await headOf(ctx, change_request);
    const answered = await requested.take(ctx, change_request, [reviewer, ...teams]);
    const request = answered.find(({ subject }) => subject === reviewer) ?? answered[0];
    await queries.supersede(ctx, change_request, [reviewer]);
    const id = newId();
    const at = ctx.clock();
    await queries.insert(ctx, {
      id,
      change_request,
      revision,
      reviewer,
      status: input.status,
      requested_by: request?.requested_by ?? null,
      answered: answered.map(({ subject }) => subject),
      created_at: at,
      updated_at: at,
    });
    const reviewed = { ...scope, version: { ...scope.version, revision } };
    if (comment?.trim()) await addComment(ctx, reviewed, { body: comment, review: id });
    const details = { space: scope.space, review: id, status: input.status };
    await auditChangeRequest(ctx, "change-request.review", owned, details);
    const row = found(await queries.find(ctx, id), "Review");
    return (await present(ctx, scope, [row], "markdown"))[0]!;
  });
}

/** Reviews with their comments, which are read at once for all of them. */
async function present(ctx: Ctx, scope: ResolvedTarget, rows: queries.Row[], format: Format) {
  const remarks = await comments.ofReviews(
    ctx,
    rows.map(({ id }) => id),
  );
  const shown = await presentComments(ctx, scope, remarks, format);
  const ofReview = new Map(shown.map((comment) => [comment.target.review, comment]));
  return rows.map((row) => view(ctx, row, ofReview.get(row.id)));
}
