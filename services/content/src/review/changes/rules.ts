import { downloadOf } from "../../files/download-url.js";
import { revisionById } from "../../revisions/queries.js";
import { type ResolvedTarget, resolveTarget } from "../../revisions/target.js";
import { writtenBetween } from "../../store/differences.js";
import { withAncestors } from "../../store/entries.js";
import { baseOf, type ReadPoint, versionOfRevision } from "../../store/version.js";
import type { Call, Ctx } from "../../trpc.js";
import { mergedFrom } from "../change-requests/merged-from.js";
import { type Change, changesOf, keyOf } from "./changes.js";
import { conflictsOf, conflictViews } from "./conflicts.js";
import type { OfChangeRequest, OfRevision, SemanticChange } from "./schema.js";
import { cursorOf, leadOn, type Slice, slice } from "./slices.js";
import { changeView } from "./view.js";

/**
 * Lists what a change request changes about the revision of the primary content that it stands on, and what is in
 * conflict with the primary content as it is now; 404 when there is none. One cursor goes through both lists.
 */
export async function ofChangeRequest({ ctx, input }: Call<typeof OfChangeRequest>) {
  const scope = await resolveTarget(ctx, input);
  const [changeKey, conflictKey] = cursorOf(input.page);
  const base = baseOf(scope.version);
  const [changes, { all, versions }] = await Promise.all([
    between(ctx, scope, base, changeKey, input.limit),
    conflictsOf(ctx, scope),
  ]);
  const conflicts = slice(all, ({ id }) => id, conflictKey, input.limit);
  const { space, changeRequest } = scope;
  const location = ctx.urls.api`/spaces/${space}/change-requests/${changeRequest!.id}/changes`;
  leadOn(ctx, location, input.limit, changes, conflicts);
  return {
    ...shown(changes),
    ...(all.length > 0 && { conflicts: await conflictViews(ctx, conflicts.items, versions) }),
    ...(conflicts.more > 0 && { moreConflicts: conflicts.more }),
  };
}

/**
 * Lists what a revision changed about its parent: of a merge, about the primary content before it; 404 when there is
 * none.
 */
export async function ofRevision({ ctx, input }: Call<typeof OfRevision>) {
  const scope = await resolveTarget(ctx, input);
  const { parents, merged_from } = await revisionById(ctx, scope.space, scope.version.revision);
  const parent = parents[0] === undefined ? undefined : await versionOfRevision(ctx, scope.space, parents[0]);
  const [changeKey] = cursorOf(input.page);
  const changes = await between(ctx, scope, parent, changeKey, input.limit);
  const location = ctx.urls.api`/spaces/${scope.space}/revisions/${scope.version.revision}/changes`;
  leadOn(ctx, location, input.limit, changes, { last: "", more: 0 });
  return { ...(merged_from && { mergedFrom: await mergedFrom(ctx, merged_from) }), ...shown(changes) };
}

async function between(
  ctx: Ctx,
  scope: ResolvedTarget,
  before: ReadPoint | undefined,
  behind: string,
  limit: number,
): Promise<Slice<SemanticChange>> {
  const after = scope.version;
  const all = changesOf(ctx, await writtenBetween(ctx, before, after));
  const { items, ...rest } = slice(all, keyOf, behind, limit);
  const [above, below] = await Promise.all([
    before ? withAncestors(ctx, before, parentsOf(items, "before")) : new Map(),
    withAncestors(ctx, after, parentsOf(items, "after")),
  ]);
  const around = { before: above, after: below, download: downloadOf(ctx, scope) };
  return { items: items.map((change) => changeView(ctx, change, around)), ...rest };
}

const shown = ({ items, more }: Slice<SemanticChange>) => ({ changes: items, ...(more > 0 && { more }) });

/** The pages that the changed pages of one side stand under. */
function parentsOf(changes: Change[], side: "before" | "after"): string[] {
  const parents = changes.map((change) => {
    if ("entry" in change)
      return change.type.endsWith("deleted") === (side === "before") ? change.entry.parent : null;
    return "before" in change ? change[side].parent : null;
  });
  return [...new Set(parents.flatMap((parent) => parent ?? []))];
}
