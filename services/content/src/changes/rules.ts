import { revisionById } from "../content/queries.js";
import { mergedFrom } from "../content/revision-head.js";
import { type Scope, scopeOf } from "../content/scope.js";
import { downloadOf } from "../files/download-url.js";
import { writtenBetween } from "../store/differences.js";
import { withAncestors } from "../store/entries.js";
import { type Version, versionOfRevision } from "../store/version.js";
import type { Call, Ctx } from "../trpc.js";
import { type Change, changesOf } from "./changes.js";
import { conflictsOf } from "./conflicts.js";
import type { OfChangeRequest, OfRevision } from "./schema.js";
import { changeView } from "./view.js";

/**
 * What a change request changes about the revision of the primary content that it stands on, and what is in conflict
 * with the revision that its last merge or update met.
 */
export async function ofChangeRequest({ ctx, input }: Call<typeof OfChangeRequest>) {
  const scope = await scopeOf(ctx, input);
  const base: Version = { ...scope.version.base!, space: scope.space, revision: "" };
  const [changes, conflicts] = await Promise.all([
    between(ctx, scope, base, input.limit),
    conflictsOf(ctx, scope, input.limit),
  ]);
  return { ...changes, ...conflicts };
}

/** What a revision changed about its parent: of a merge, about the primary content before it. */
export async function ofRevision({ ctx, input }: Call<typeof OfRevision>) {
  const scope = await scopeOf(ctx, input);
  const { parents, merged_from } = await revisionById(ctx, scope.space, scope.version.revision);
  const parent = parents[0] === undefined ? undefined : await versionOfRevision(ctx, scope.space, parents[0]);
  return {
    ...(merged_from && { mergedFrom: await mergedFrom(ctx, merged_from) }),
    ...(await between(ctx, scope, parent, input.limit)),
  };
}

async function between(ctx: Ctx, scope: Scope, before: Version | undefined, limit: number) {
  const after = scope.version;
  const all = changesOf(ctx, await writtenBetween(ctx, before, after));
  const shown = all.slice(0, limit);
  const [above, below] = await Promise.all([
    before ? withAncestors(ctx, before, parentsOf(shown, "before")) : new Map(),
    withAncestors(ctx, after, parentsOf(shown, "after")),
  ]);
  const around = { before: above, after: below, download: downloadOf(ctx, scope) };
  const changes = shown.map((change) => changeView(ctx, change, around));
  return { changes, ...(all.length > shown.length && { more: all.length - shown.length }) };
}

/** The pages that the changed pages of one side stand under. */
function parentsOf(changes: Change[], side: "before" | "after"): string[] {
  const parents = changes.map((change) => {
    if ("entry" in change)
      return change.type.endsWith("deleted") === (side === "before") ? change.entry.parent : null;
    return "before" in change ? change[side].parent : null;
  });
  return [...new Set(parents.flatMap((parent) => parent ?? []))];
}
