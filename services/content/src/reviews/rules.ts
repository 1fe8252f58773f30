// What somebody says of a change request as it is now: that it may be merged, or that it has to change first.

import { userOf } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { found, refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { paginate } from "@octavo/shared/paginate";
import { auditChangeRequest } from "../audit.js";
import { lockUnmerged } from "../change-requests/status.js";
import { markdownOf } from "../content/document.js";
import { scopeOf } from "../content/scope.js";
import { contribute } from "../contributors/contribute.js";
import { keepPerson } from "../people/queries.js";
import * as requested from "../requested-reviewers/queries.js";
import { NEEDS } from "../spaces/permissions.js";
import { headOf } from "../store/version.js";
import type { Call } from "../trpc.js";
import * as queries from "./queries.js";
import type { List, Submit } from "./schema.js";
import { view } from "./view.js";

/** Newest first. */
export async function list({ ctx, input }: Call<typeof List>) {
  const { space, level, changeRequest } = await scopeOf(ctx, input);
  return paginate({
    query: queries.ofChangeRequest(ctx, changeRequest!.id, input.outdated),
    by: [{ column: "review.created_at", direction: "desc" }],
    key: "review.id",
    input,
    view: (rows) => rows.map(view(ctx, { space, level, format: input.format })),
  });
}

/**
 * Gives a review, asked for or not. It takes the place of what the reviewer said before, and answers the request to
 * them and to their teams. Nobody reviews what they opened themselves.
 */
export async function submit({ ctx, input }: Call<typeof Submit>) {
  const { space, organization, level, changeRequest } = await scopeOf(ctx, input, NEEDS.review);
  const { id: reviewer, teams } = userOf(ctx);
  const { id: change_request, author } = changeRequest!;
  if (reviewer === author)
    refuse("FORBIDDEN", "Change request: its author can not review it", { reason: "own_change_request" });
  const comment = (input.comment && markdownOf(input.comment, "")) || null;
  const id = newId();
  return transact(ctx, async (ctx) => {
    await lockUnmerged(ctx, change_request, "reviewed");
    await keepPerson(ctx);
    const { revision } = await headOf(ctx, change_request);
    const answered = await requested.take(ctx, change_request, [reviewer, ...teams]);
    const own = answered.find(({ subject }) => subject === reviewer) ?? answered[0];
    await queries.supersede(ctx, change_request, [reviewer]);
    const at = ctx.clock();
    await queries.insert(ctx, {
      id,
      change_request,
      revision,
      reviewer,
      status: input.status,
      requested_by: own?.requested_by ?? null,
      answered: answered.map(({ subject }) => subject),
      comment,
      comment_id: comment === null ? null : newId(),
      created_at: at,
      updated_at: at,
    });
    if (comment !== null) await contribute(ctx, change_request, "comment");
    const owned = { id: change_request, organization };
    await auditChangeRequest(ctx, "change-request.review", owned, {
      space,
      review: id,
      status: input.status,
    });
    return view(ctx, { space, level, format: "markdown" })(found(await queries.find(ctx, id), "Review"));
  });
}
