import { userOf } from "@octavo/shared/access";
import { transact } from "@octavo/shared/database/transact";
import { found } from "@octavo/shared/errors";
import { auditComment } from "../../../audit.js";
import { keepPerson } from "../../../people/queries.js";
import { lockTarget, type ResolvedTarget } from "../../../revisions/target.js";
import type { Call, Ctx } from "../../../trpc.js";
import { bodyOf } from "../body.js";
import { allowComment, change, commentTarget } from "../change.js";
import { commentKey } from "../place.js";
import * as queries from "../queries.js";
import type { Update } from "../schema.js";
import { show } from "../show.js";

/**
 * Edits, resolves, reopens and reacts to a comment, any of them at once. What is as it should be already stays as it
 * was. 403 for who may not comment, or edits what somebody else wrote, 404 when there is none.
 */
export async function update({ ctx, input }: Call<typeof Update>) {
  const scope = await transact(ctx, async (ctx) => {
    const scope = await lockTarget(ctx, input, "space.comment");
    const { id: person } = userOf(ctx);
    const body = input.body && bodyOf(input.body);
    const row = found(await queries.lock(ctx, commentKey(scope, input.commentId)), "Comment");
    if (body !== undefined) allowComment(ctx, scope, row, "comment.edit", "Comment");
    const changes = await change(ctx, person, row, { ...input, body });
    const resolved = await resolve(ctx, scope, row, person, input.resolved);
    if (Object.keys(changes).length === 0 && resolved === undefined) return scope;
    await keepPerson(ctx);
    const details = { ...commentTarget(scope), ...changes, ...(resolved !== undefined && { resolved }) };
    await auditComment(ctx, "comment.update", { id: row.id, organization: scope.organization }, details);
    return scope;
  });
  return show(ctx, scope, input.commentId, "markdown");
}

/** Resolves or reopens a comment whose row is locked; returns which of them, unless it was so already. */
async function resolve(
  ctx: Ctx,
  { space, version: { branch } }: ResolvedTarget,
  { id, resolved_at }: { id: string; resolved_at: string | null },
  person: string,
  resolved: boolean | undefined,
) {
  if (resolved === undefined || resolved === (resolved_at !== null)) return undefined;
  await queries.set(ctx, id, {
    resolved_at: resolved ? ctx.clock() : null,
    resolved_by: resolved ? person : null,
  });
  await queries.countOpen(ctx, { space, branch }, resolved ? -1 : 1);
  return resolved;
}
