import { refuse } from "@octavo/shared/errors";
import { roleFor } from "../../permissions.js";
import type { ResolvedTarget } from "../../revisions/target.js";
import type { Ctx } from "../../trpc.js";
import * as queries from "./queries.js";
import { react } from "./reactions.js";
import { permissionsOn } from "./view.js";

type Locked = NonNullable<Awaited<ReturnType<typeof queries.lock>>>;

interface Change {
  /** The new source. */
  body?: string;
  addedReactions?: string[];
  removedReactions?: string[];
}

/** Changes the text of a comment or a reply, whose row is locked, and the caller's reactions to it; returns what is new. */
export async function change(
  ctx: Ctx,
  person: string,
  row: Locked,
  { body, addedReactions, removedReactions }: Change,
) {
  const edited = body !== undefined && body !== row.body;
  if (edited) await queries.set(ctx, row.id, { body, edited_at: ctx.clock() });
  const { added, removed } = await react(ctx, row.id, person, {
    added: addedReactions,
    removed: removedReactions,
  });
  return {
    ...(edited && { edited }),
    ...(added.length > 0 && { addedReactions: added }),
    ...(removed.length > 0 && { removedReactions: removed }),
  };
}

/** 403 for who wants to edit or delete what somebody else wrote, and may not. */
export function allowComment(
  ctx: Ctx,
  scope: ResolvedTarget,
  row: Locked,
  action: "comment.edit" | "comment.delete",
  what: string,
): void {
  const permissions = permissionsOn(ctx, scope, row.posted_by);
  if (action === "comment.edit" ? permissions.edit : permissions.delete) return;
  const who =
    action === "comment.edit"
      ? "only who wrote it may edit it"
      : `needs the role ${roleFor("comment.delete")}, or to have written it`;
  refuse("FORBIDDEN", `${what}: ${who}`);
}

/** Where the comment is, for the record of what was done to it. */
export const commentTarget = ({ space, changeRequest }: ResolvedTarget) => ({
  space,
  ...(changeRequest && { changeRequest: changeRequest.id }),
});
