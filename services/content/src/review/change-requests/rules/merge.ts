import { transact } from "@octavo/shared/database/transact";
import { auditChangeRequest } from "../../../audit.js";
import { type Changes, commit } from "../../../revisions/commit.js";
import { commitPrimary } from "../../../revisions/primary.js";
import { lockTarget } from "../../../revisions/target.js";
import { keepBodies } from "../../../store/bodies.js";
import { forgetMergeBases } from "../../../store/merge-bases.js";
import { mergeBranch } from "../../../store/merge-branch.js";
import type { Outcome } from "../../../store/merge-entry.js";
import { same } from "../../../store/merge-entry.js";
import type { BranchHead } from "../../../store/version.js";
import type { Call, Ctx } from "../../../trpc.js";
import { lockForMerge } from "../lock-unmerged.js";
import * as queries from "../queries.js";
import type { Merge } from "../schema.js";

/**
 * Merges a change request into the primary content, three-way. Conflicts are a response, not an error: nothing is
 * changed then, and `revision` is the change request's. An archived or merged one is 400, 403 for who may not merge,
 * 404 when there is none.
 */
export async function merge({ ctx, input }: Call<typeof Merge>) {
  return transact(ctx, async (ctx) => {
    const { space, organization, changeRequest } = await lockTarget(ctx, input, "space.merge");
    return mergeInto(ctx, { space, organization, id: changeRequest!.id });
  });
}

/** Merges a change request, in the transaction of who has decided that it may be. */
export async function mergeInto(
  ctx: Ctx,
  { space, organization, id }: { space: string; organization: string; id: string },
) {
  return transact(ctx, async (ctx) => {
    const { head, branch, changeRequest } = await lockForMerge(ctx, space, id, "merged");
    const result = await mergeBranch(ctx, space, branch);
    if (result.conflicts) return reportConflicts(ctx, head, branch);
    await keepBodies(ctx, space, result.texts);
    const revision = await commitPrimary(ctx, {
      space,
      organization,
      head,
      type: "merge",
      changes: changesToPrimary(result.outcomes),
      parents: branch.seq > 0 ? [branch.revision] : [],
      mergedFrom: id,
      counters: queries.countersAfter(changeRequest.status, "merged"),
    });
    await queries.set(ctx, id, { status: "merged", revision_merged: revision.id, ...NO_CONFLICTS });
    if (result.hasDecisions) await forgetMergeBases(ctx, space, id);
    await auditChangeRequest(
      ctx,
      "change-request.merge",
      { id, organization },
      { space, revision: revision.id },
    );
    return { revision: revision.id, result: "merge" as const };
  });
}

/**
 * Pulls the primary content into a change request, three-way. Conflicts change nothing. An archived or merged one is
 * 400, 403 for who may not edit the space, 404 when there is none.
 */
export async function pull({ ctx, input }: Call<typeof Merge>) {
  return transact(ctx, async (ctx) => {
    const { space, organization, changeRequest } = await lockTarget(ctx, input, "space.edit");
    const { id } = changeRequest!;
    const { head, branch } = await lockForMerge(ctx, space, id, "updated");
    if (branch.base_seq === head.seq) return { revision: branch.revision, result: "update" as const };
    const result = await mergeBranch(ctx, space, branch);
    if (result.conflicts) return reportConflicts(ctx, head, branch);
    await keepBodies(ctx, space, result.texts);
    const revision = await commit(ctx, {
      space,
      head: branch,
      type: "update",
      changes: changesToBranch(result.outcomes),
      parents: [head.revision],
      baseSeq: head.seq,
    });
    await queries.set(ctx, id, { revision_merged_ancestor: head.revision, ...NO_CONFLICTS });
    if (result.hasDecisions) await forgetMergeBases(ctx, space, id);
    await auditChangeRequest(
      ctx,
      "change-request.pull",
      { id, organization },
      { space, revision: revision.id },
    );
    return { revision: revision.id, result: "update" as const };
  });
}

const NO_CONFLICTS = { conflict_primary: null, conflict_own: null };

/** Remembers what was found in conflict: changes of the change request from now on are read as decisions about it. */
async function reportConflicts(ctx: Ctx, head: BranchHead, branch: BranchHead) {
  await queries.rememberConflicts(ctx, branch.id, head.seq, branch.seq);
  return { revision: branch.revision, result: "conflicts" as const };
}

function changesToPrimary(outcomes: Outcome[]): Changes {
  const changed = outcomes.filter(({ result, primary }) => !same(result, primary));
  return {
    put: changed.flatMap(({ result }) => result ?? []),
    remove: changed.flatMap(({ id, result }) => (result ? [] : [id])),
    known: new Map(outcomes.map(({ id, primary }) => [id, primary])),
    unrecorded: changed.flatMap(({ own, result }) => (result && result !== own ? result : [])),
  };
}

/** What the primary content has just so is no longer the change request's own. */
function changesToBranch(outcomes: Outcome[]): Changes {
  const release = outcomes.filter(({ result, primary }) => same(result, primary)).map(({ id }) => id);
  const kept = outcomes.filter(({ result, primary, own }) => !same(result, primary) && !same(result, own));
  return { put: kept.flatMap(({ result }) => result ?? []), remove: [], release };
}
