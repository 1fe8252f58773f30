import { arrayOf } from "@octavo/shared/database/any-of";
import { post } from "@octavo/shared/database/posted";
import { type Argument, prepareStatement } from "@octavo/shared/database/prepare";
import { refuse } from "@octavo/shared/errors";
import { newId } from "@octavo/shared/ids";
import { type RawBuilder, sql } from "kysely";
import type { GitCommit, RevisionTable, RevisionType } from "../db/tables/store.js";
import { completeReferences } from "../references/backfill.js";
import { pinReferenceTargets } from "../references/pin-targets.js";
import { recordReferences } from "../references/record.js";
import { readSpecFilesSoon } from "../spec-files/jobs.js";
import { batchesOf, type Many } from "../store/batches.js";
import { refreshAfter } from "../store/statistics.js";
import { type BranchHead, type Entry, versionOfBranch } from "../store/version.js";
import type { Ctx } from "../trpc.js";

/** What a revision changes: entries as they are from now on, and ids that are gone. Each is gone through several times. */
export interface Changes {
  put: Many<Entry>;
  remove: Many<string>;
  /** On a change request: no longer its own, so that the primary branch shows through again. */
  release?: string[];
  /** What was read of the branch under its lock already, by ids; undefined is "not there". */
  known?: ReadonlyMap<string, Entry | undefined>;
  /** The texts that the changes bring, by the ids of their pages. */
  texts?: ReadonlyMap<string, string>;
  /** What is put and no commit to another branch has put just so; all without it. What the others refer to is kept. */
  unrecorded?: Entry[];
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
 * What the changed entries refer to is kept with them. However many they are, a few are in memory at a time.
 */
export async function commit(
  ctx: Ctx,
  { space, head, type, changes, parents = [], mergedFrom, git, baseSeq }: Commit,
) {
  const id = newId();
  const seq = head.seq + 1;
  const base_seq = baseSeq ?? head.base_seq;
  const createdBy = ctx.caller.kind === "user" ? ctx.caller.id : null;
  const { put, remove, release = [], known, texts, unrecorded = put } = changes;
  if (head.pending !== false) await completeReferences(ctx, space);
  await pinReferenceTargets(ctx, versionOfBranch(space, head), put, known);
  const written = await writeEntries(ctx, head, put);
  const removed = await removeEntries(ctx, head, remove);
  await endVersions(ctx, head.id, seq, release);
  const all = [...(head.revision ? [head.revision] : []), ...parents];
  await post(
    ctx.db,
    revisionMade({
      id,
      space,
      branch: head.id,
      seq,
      base_seq,
      type,
      parents: all,
      created_by: createdBy,
      created_at: ctx.clock(),
      merged_from: mergedFrom ?? null,
      git: git ? JSON.stringify(git) : null,
    }),
  );
  const before = { ...versionOfBranch(space, head), seq: head.seq };
  const after = versionOfBranch(space, { ...head, base_seq });
  await recordReferences(ctx, after, unrecorded, { before, known, texts });
  await refreshAfter(ctx, written + removed);
  return { id, seq };
}

/** A revision as it is written. */
interface Made extends Omit<RevisionTable, "git" | "created_at"> {
  /** JSON. */
  git: string | null;
  created_at: Date;
}

const revisionMade = prepareStatement(
  (arg: Argument<Made>) => sql`
    with moved as (
      update branch set seq = ${arg("seq")}, revision = ${arg("id")}, base_seq = ${arg("base_seq")}
      where id = ${arg("branch")})
    insert into revision (id, space, branch, seq, base_seq, type, parents, merged_from, git, created_by, created_at)
    values (${arg("id")}, ${arg("space")}, ${arg("branch")}, ${arg("seq")}, ${arg("base_seq")}, ${arg("type")},
      ${arg("parents")}::text[], ${arg("merged_from")}, ${arg("git")}, ${arg("created_by")}, ${arg("created_at")})`,
);

async function writeEntries(ctx: Ctx, { id, seq }: BranchHead, entries: Many<Entry>): Promise<number> {
  let count = 0;
  for await (const batch of batchesOf(entries, BATCH)) {
    await replaceVersions(ctx, id, seq + 1, batch);
    await readSpecFilesSoon(ctx, batch);
    count += batch.length;
  }
  return count;
}

async function removeEntries(
  ctx: Ctx,
  { id, seq, base_seq }: BranchHead,
  ids: Many<string>,
): Promise<number> {
  let count = 0;
  for await (const batch of batchesOf(ids, BATCH)) {
    await endVersions(ctx, id, seq + 1, batch);
    if (base_seq !== null) await markRemoved(ctx, id, seq + 1, batch);
    count += batch.length;
  }
  return count;
}

async function endVersions(ctx: Ctx, branch: string, seq: number, ids: string[]) {
  checkOnce(ids);
  if (ids.length > 0) await post(ctx.db, versionsEnded(sql`${branch}`, sql`${seq}`, arrayOf(ids)));
}

function checkOnce(ids: string[]) {
  if (new Set(ids).size !== ids.length) refuse("BAD_REQUEST", "changes: one page is changed twice");
}

/** The statement by which current versions end, alone or as a part of another. */
function versionsEnded(branch: RawBuilder<string>, seq: RawBuilder<number>, ids: RawBuilder<string[]>) {
  return sql`update entry set to_seq = ${seq} where branch = (select ${branch}::text)
    and id = any(${ids}) and to_seq is null`;
}

async function replaceVersions(ctx: Ctx, branch: string, seq: number, entries: Entry[]) {
  const ids = entries.map(({ id }) => id);
  checkOnce(ids);
  await post(ctx.db, versionsReplaced({ branch, seq, ids, entries: JSON.stringify(entries) }));
}

interface Replaced {
  branch: string;
  seq: number;
  ids: string[];
  entries: string;
}

// Of an entry one version is current: those that take the place of others begin when these have ended.
const versionsReplaced = prepareStatement(
  (arg: Argument<Replaced>) => sql`
    with ended as (
      ${versionsEnded(arg("branch"), arg("seq"), sql`(select ${arg("ids")}::text[])::text[]`)} returning 1)
    insert into entry (branch, id, from_seq, kind, parent, position, slug, title, body, git_path, git_oid,
      props, created_at, updated_at)
    select ${arg("branch")}, e.id, ${arg("seq")}, e.kind, e.parent, e.position, e.slug, e.title, e.body, e.git_path,
      e.git_oid, e.props, e.created_at, e.updated_at
    from (select count(*) from ended) as before,
      jsonb_to_recordset(${arg("entries")}::jsonb) as e (id text, kind text, parent text, position text,
      slug text, title text, body text, git_path text, git_oid text, props jsonb, created_at timestamptz,
      updated_at timestamptz)`,
);

async function markRemoved(ctx: Ctx, branch: string, seq: number, ids: string[]) {
  await post(
    ctx.db,
    sql`insert into entry (branch, id, from_seq, kind, removed)
    select ${branch}, id, ${seq}, 'page', true from unnest(${ids}::text[]) as id`,
  );
}
