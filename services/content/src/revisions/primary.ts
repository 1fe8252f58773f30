import { ContentUpdated } from "@octavo/shared/contracts/events/content";
import { ask } from "@octavo/shared/database/posted";
import { emit } from "@octavo/shared/events/outbox";
import type { RawBuilder } from "kysely";
import type { GitCommit, RevisionType } from "../db/tables/store.js";
import { indexPages } from "../search-index/index-pages.js";
import type { BranchHead } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import { type Changes, commit } from "./commit.js";
import { IN_STEP, syncSoon } from "./keep-in-step.js";

interface PrimaryCommit {
  space: string;
  /** Whose it is, when that is known and cannot change until the transaction ends. */
  organization?: string;
  /** The primary branch, locked in this transaction. */
  head: BranchHead;
  type: RevisionType;
  changes: Changes;
  parents?: string[];
  mergedFrom?: string;
  /** What else changes in the row of the space. */
  counters?: Partial<Record<"change_requests_open" | "change_requests_draft", RawBuilder<number>>>;
  git?: GitCommit;
}

/**
 * Moves the primary content of a space on by one revision, and with it, in the same transaction, all that follows from
 * it: the space's active revision, what the search finds, and the event for the other services.
 */
export async function commitPrimary(ctx: Ctx, revision: PrimaryCommit): Promise<{ id: string; seq: number }> {
  const { space, changes, mergedFrom, counters } = revision;
  const made = await commit(ctx, revision);
  const moved = ctx.db
    .updateTable("space")
    .set({ ...counters, revision: made.id, updated_at: ctx.clock() })
    .where("id", "=", space)
    .returning(["organization", IN_STEP.as("in_step")]);
  const read = await ask(ctx.db, moved);
  const row = async () => (await read())[0]!;
  const organization = revision.organization ?? (await row()).organization;
  await indexPages(ctx, { space, organization, put: changes.put, remove: changes.remove });
  await emit(ctx, ContentUpdated, space, {
    space,
    organization,
    revision: made.id,
    changeRequest: mergedFrom,
  });
  // What changed is exported.
  if ((await row()).in_step) await syncSoon(ctx, space);
  return made;
}
