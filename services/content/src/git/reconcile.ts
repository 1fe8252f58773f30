import { posix } from "node:path";
import { pageTitle } from "@octavo/markdown/title";
import { readVariables } from "@octavo/markdown/variables";
import { transact } from "@octavo/shared/database/transact";
import { GitSyncCompleted, GitSyncStarted } from "@octavo/shared/events/catalogue/content";
import { emit } from "@octavo/shared/events/outbox";
import { newId } from "@octavo/shared/ids";
import { sql } from "kysely";
import { auditSpace } from "../audit.js";
import { type Changes, commit } from "../store/commit.js";
import { commitPrimary } from "../store/primary.js";
import { COLUMNS, type Entry, entriesOf, lockBranch, type Version } from "../store/version.js";
import type { GitInfo } from "../tables/spaces.js";
import type { GitCommit } from "../tables/store.js";
import type { Ctx } from "../trpc.js";
import { type Existing, keyOf, otherEntry, pageEntries, settled } from "./entries.js";
import * as operations from "./operations.js";
import type { Repository } from "./repository.js";
import type { ImportRequest } from "./schema.js";
import type { SourceTree } from "./source-tree.js";

/** What the space holds now, of one kind if told, by what identifies it across imports. */
export async function existingEntries(ctx: Ctx, space: string, kind?: Entry["kind"]): Promise<Existing> {
  const version: Version = { space, branch: space, revision: "" };
  const where = kind === undefined ? sql`true` : sql`e.kind = ${kind}`;
  const { rows } = await sql<Entry>`${entriesOf(version, where, COLUMNS)}`.execute(ctx.db);
  return { byKey: new Map(rows.map((entry) => [keyOf(entry), entry])), now: ctx.clock().toISOString() };
}

interface Reconciliation {
  operation: operations.Operation;
  request: ImportRequest;
  repository: Repository;
  tree: SourceTree;
  files: Entry[];
}

/** Compares a commit with what the space holds at this moment, and commits the difference, in one transaction. */
export async function reconcile(
  ctx: Ctx,
  { operation, request, repository, tree, files }: Reconciliation,
): Promise<void> {
  const { id, space } = operation;
  await transact(ctx, async (ctx) => {
    const head = await lockBranch(ctx, space);
    const existing = await existingEntries(ctx, space);
    const fileIds = new Map(files.map((file) => [file.git_path!, file.id]));
    const assets = files.map((file) => settled(existing, file));
    const wanted = [...pageEntries(tree, fileIds, existing), ...assets, ...otherEntries(tree, existing)];
    const changes = difference(existing, wanted);
    const git = commitInfo(repository, request);
    const organization = await operations.organizationOf(ctx, space);
    await emit(ctx, GitSyncStarted, space, { space, organization, commit: repository.commit });
    const revision = request.standalone
      ? await commitAside(ctx, space, head.seq, head.revision, changes, git)
      : (await commitPrimary(ctx, { space, head, type: "edits", changes, git })).id;
    if (!request.standalone) await operations.setGit(ctx, space, gitInfo(request, repository, ctx.clock()));
    await operations.succeed(ctx, id, revision);
    const synced = { space, organization, revision, commit: repository.commit, state: "success" as const };
    await emit(ctx, GitSyncCompleted, space, synced);
    const details = { operation: id, startedBy: operation.created_by, commit: repository.commit, revision };
    await auditSpace(ctx, "space.git.imported", { id: space, organization }, details);
  });
}

function otherEntries({ reusable, variables }: SourceTree, existing: Existing): Entry[] {
  const contents = [...reusable.values()].map(({ path, oid, hash, source }) =>
    otherEntry(existing, {
      kind: "reusable",
      title: source.title ?? pageTitle(posix.basename(path).replace(/\.\w+$/, "")),
      body: hash,
      git_path: path,
      git_oid: oid,
    }),
  );
  const values = Object.entries(readVariables(variables ?? "")).map(([title, value]) =>
    otherEntry(existing, { kind: "variable", title, props: { value } }),
  );
  return [...contents, ...values];
}

function difference({ byKey }: Existing, wanted: Entry[]): Changes {
  const kept = new Set(wanted.map(({ id }) => id));
  const known = new Set(byKey.values());
  return {
    put: wanted.filter((entry) => !known.has(entry)),
    remove: [...byKey.values()].filter(({ id }) => !kept.has(id)).map(({ id }) => id),
  };
}

/** A revision beside the primary content: a branch of its own that nothing else writes to. */
async function commitAside(
  ctx: Ctx,
  space: string,
  seq: number,
  revision: string,
  changes: Changes,
  git: GitCommit,
) {
  const id = newId();
  const branch = { id, seq: 0, revision, base_seq: seq };
  await ctx.db
    .insertInto("branch")
    .values({ ...branch, space })
    .execute();
  return (await commit(ctx, { space, head: branch, type: "edits", changes, git })).id;
}

function commitInfo({ commit, message }: Repository, { repoCommitURL, ref }: ImportRequest): GitCommit {
  const url = repoCommitURL && `${repoCommitURL.replace(/\/+$/, "")}/${commit}`;
  return { oid: commit, message, createdByService: false, url, ref };
}

function gitInfo(request: ImportRequest, { commit }: Repository, now: Date): GitInfo {
  const { url, gitInfo, repoTreeURL, timestamp, repoProjectDirectory: directory = "" } = request;
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  return {
    repoName: plain.pathname.replace(/^\/+|\/+$/g, "").replace(/\.git$/, ""),
    installationProvider: gitInfo?.provider,
    url: gitInfo?.url ?? repoTreeURL ?? plain.href,
    updatedAt: now.toISOString(),
    commit,
    directory,
    timestamp,
  };
}
