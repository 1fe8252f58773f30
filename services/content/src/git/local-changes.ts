import { newId } from "@octavo/shared/ids";
import * as changeRequests from "../review/change-requests/queries.js";
import { mergeInto } from "../review/change-requests/rules/merge.js";
import { commit } from "../revisions/commit.js";
import { commitPrimary } from "../revisions/primary.js";
import { writtenBetween } from "../store/differences.js";
import { same } from "../store/merge-entry.js";
import { type BranchHead, lockBranch, primaryAt } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { stateOf } from "./state.js";
import * as queries from "./sync-queries.js";

/** The head that an import goes on from, and the change request with what the space changed, if it did. */
interface Aside {
  head: BranchHead;
  changeRequest?: string;
}

/**
 * Puts aside what the space changed since it and its branch were the same: into a change request that stands on that
 * state, while the primary content goes back to it. So an import brings in what the branch changed, and the merge of the
 * change request, which follows in the same transaction, brings both together.
 */
export async function putLocalChangesAside(ctx: Ctx, space: string, head: BranchHead): Promise<Aside> {
  const sync = await queries.find(ctx, space);
  const state = await stateOf(ctx, space);
  if (!sync || sync.initial !== null || !state || state.seq >= head.seq) return { head };
  const base = primaryAt(space, state.seq);
  const written = await writtenBetween(ctx, base, primaryAt(space, head.seq));
  const changed = written.filter(({ before, after }) => !same(before, after));
  if (changed.length === 0) return { head };
  const id = newId();
  const revision = await revisionAt(ctx, space, state.seq);
  const subject = "Changes made beside those in the repository";
  const person = sync.created_by;
  await changeRequests.insert(ctx, { id, space, subject, revision, person });
  await commit(ctx, {
    space,
    head: { id, seq: 0, revision, base_seq: state.seq },
    type: "edits",
    changes: {
      put: changed.flatMap(({ after }) => after ?? []),
      remove: changed.flatMap(({ id, after }) => (after ? [] : [id])),
    },
  });
  await commitPrimary(ctx, {
    space,
    head,
    type: "rollback",
    changes: {
      put: changed.flatMap(({ before }) => before ?? []),
      remove: changed.flatMap(({ id, before }) => (before ? [] : [id])),
    },
  });
  return { head: await lockBranch(ctx, space), changeRequest: id };
}

/** Merges on top of an import what was put aside before it. In conflict it waits for who decides. */
export async function mergeLocalChanges(
  ctx: Ctx,
  { space, organization, changeRequest: id }: { space: string; organization: string; changeRequest: string },
): Promise<void> {
  const { result } = await mergeInto(ctx, { space, organization, id });
  if (result === "conflicts") await queries.noteConflict(ctx, space, id);
}

async function revisionAt({ db }: Ctx, branch: string, seq: number): Promise<string> {
  const { id } = await db
    .selectFrom("revision")
    .select("id")
    .where("branch", "=", branch)
    .where("seq", "=", seq)
    .executeTakeFirstOrThrow();
  return id;
}
