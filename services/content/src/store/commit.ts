import { refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { sql } from "kysely";
import { completeReferences } from "../links/backfill.js";
import { holdReferences } from "../links/hold.js";
import { recordReferences } from "../links/record.js";
import type { GitCommit, RevisionType } from "../tables/store.js";
import type { Ctx } from "../trpc.js";
import { batchesOf } from "./batches.js";
import { refreshAfter } from "./statistics.js";
import { type BranchHead, type Entry, versionOfBranch } from "./version.js";

/** What a revision changes: entries as they are from now on, and ids that are gone. */
export interface Changes {
  put: Entry[];
  remove: string[];
  /** On a change request: no longer its own, so that the primary branch shows through again. */
  release?: string[];
}

interface Commit {
  space: string;
  /** The branch, locked by `lockBranch` in the same transaction. */
  head: BranchHead;
  type: RevisionType;
  changes: Changes;
  /** Parents besides the head: what a merge or an update brought in. */
  parents?: string[];
  mergedFrom?: string;
  git?: GitCommit;
  /** The revision of the primary branch that shows through from now on, after an update. */
  baseSeq?: number;
}

const BATCH = 500;

/**
 * Adds one revision to a branch. It costs what the changes touch: every changed entry's current version ends, and a
 * new one begins. On a change request a removed page leaves a mark, so that the primary branch does not show through.
 * What the changed entries refer to is kept with them.
 */
export async function commit(
  ctx: Ctx,
  { space, head, type, changes, parents = [], mergedFrom, git, baseSeq }: Commit,
) {
  const id = newId();
  const seq = head.seq + 1;
  const base_seq = baseSeq ?? head.base_seq;
  const createdBy = ctx.caller.kind === "user" ? ctx.caller.id : null;
  const { put, remove, release = [] } = changes;
  await completeReferences(ctx, space);
  const before = await holdReferences(ctx, versionOfBranch(space, head), put);
  await endVersions(ctx, head.id, seq, [...put.map((entry) => entry.id), ...remove, ...release]);
  for (const batch of batchesOf(put, BATCH)) await beginVersions(ctx, head.id, seq, batch);
  if (head.base_seq !== null && remove.length > 0) await markRemoved(ctx, head.id, seq, remove);
  await ctx.db
    .insertInto("revision")
    .values({
      id,
      space,
      branch: head.id,
      seq,
      base_seq,
      type,
      parents: [...(head.revision ? [head.revision] : []), ...parents],
      merged_from: mergedFrom ?? null,
      git: git ? JSON.stringify(git) : null,
      created_by: createdBy,
      created_at: ctx.clock(),
    })
    .execute();
  const ids = put.map((entry) => entry.id);
  await recordReferences(ctx, versionOfBranch(space, { ...head, base_seq }), ids, before);
  await ctx.db.updateTable("branch").set({ seq, revision: id, base_seq }).where("id", "=", head.id).execute();
  await refreshAfter(ctx, put.length + remove.length);
  return { id, seq };
}

async function endVersions(ctx: Ctx, branch: string, seq: number, ids: string[]) {
  if (new Set(ids).size !== ids.length) refuse("BAD_REQUEST", "changes: one page is changed twice");
  if (ids.length === 0) return;
  await sql`update entry set to_seq = ${seq} where branch = ${branch} and id = any(${ids}) and to_seq is null`.execute(
    ctx.db,
  );
}

async function beginVersions(ctx: Ctx, branch: string, seq: number, entries: Entry[]) {
  await sql`insert into entry (branch, id, from_seq, kind, parent, position, slug, title, body, git_path, git_oid,
      props, created_at, updated_at)
    select ${branch}, e.id, ${seq}, e.kind, e.parent, e.position, e.slug, e.title, e.body, e.git_path, e.git_oid,
      e.props, e.created_at, e.updated_at
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (id text, kind text, parent text, position text,
      slug text, title text, body text, git_path text, git_oid text, props jsonb, created_at timestamptz,
      updated_at timestamptz)`.execute(ctx.db);
}

async function markRemoved(ctx: Ctx, branch: string, seq: number, ids: string[]) {
  await sql`insert into entry (branch, id, from_seq, kind, removed)
    select ${branch}, id, ${seq}, 'page', true from unnest(${ids}::text[]) as id`.execute(ctx.db);
}
