import { GitSyncCompleted, GitSyncStarted } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { emit } from "@octavo/shared/events/outbox";
import { sql } from "kysely";
import { auditSpace } from "../../audit.js";
import { keepRedirects } from "../../references/git-redirects.js";
import { lockBranch } from "../../store/version.js";
import type { Ctx } from "../../trpc.js";
import * as operations from "../operations.js";
import type { ExportRequest } from "../schema.js";
import { commitInfo, gitInfo, keepState } from "../state.js";
import { keptSurroundings, settingsIn } from "../surroundings.js";
import type { Made } from "./commit.js";
import type { Plan } from "./plan.js";

interface Exported {
  space: string;
  request: ExportRequest;
  plan: Plan;
  made: Made;
  /** The number of the revision that the branch holds now. */
  seq: number;
  /** The commit that the branch led to before. */
  tip: string | undefined;
  /** The operation that ends with this. */
  operation?: operations.Operation;
}

/** Notes that the branch holds a version of the space: at the space, its revision, its pages and files. */
export async function record(ctx: Ctx, exported: Exported): Promise<void> {
  const { space, operation, request, plan, made, seq, tip } = exported;
  const { commit: oid } = made;
  await transact(ctx, async (ctx) => {
    await lockBranch(ctx, space);
    const organization = await operations.organizationOf(ctx, space);
    const { repoProjectDirectory: directory = "", commitMessage: message } = request;
    const tree = (await operations.gitOf(ctx, space))?.tree;
    await operations.setGit(ctx, space, gitInfo(request, oid, ctx.clock(), tree));
    const same = { space, directory, commit: oid, seq };
    await keepState(ctx, { ...same, ...keptSurroundings(plan.surroundings) });
    await keepRedirects(ctx, space, settingsIn(plan.surroundings));
    await nameEntries(ctx, space, { seq, named: plan.named, oids: made.oids });
    const git = commitInfo({ oid, message, createdByService: true }, request);
    const revision = await noteCommit(ctx, space, { seq, git: oid === tip ? undefined : git });
    if (!operation) return;
    const { id } = operation;
    await operations.succeed(ctx, id, revision);
    await emit(ctx, GitSyncStarted, space, { space, organization, revision, commit: oid });
    const synced = { space, organization, revision, commit: oid, state: "success" as const };
    await emit(ctx, GitSyncCompleted, space, synced);
    const details = { operation: id, startedBy: operation.created_by, commit: oid, revision };
    await auditSpace(ctx, "space.git.exported", { id: space, organization }, details);
  });
}

/** Notes at the revision as which commit it was exported, unless it came from one. Returns its id. */
async function noteCommit(
  ctx: Ctx,
  space: string,
  { seq, git }: { seq: number; git: object | undefined },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`update revision
    set git = coalesce(git, ${git ? JSON.stringify(git) : null}::jsonb)
    where branch = ${space} and seq = ${seq} returning id`.execute(ctx.db);
  return rows[0]!.id;
}

interface Names {
  seq: number;
  named: Map<string, string>;
  oids: Map<string, string>;
}

/**
 * Gives entries the files that they are in from now on, where they are as they were exported, and in open change
 * requests, where a merge would otherwise take the files from them again.
 */
async function nameEntries(ctx: Ctx, space: string, { seq, named, oids }: Names): Promise<void> {
  if (named.size === 0) return;
  const rows = [...named].map(([id, path]) => ({ id, path, oid: oids.get(id) ?? null }));
  const list = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id text, path text, oid text)`;
  const alone = sql`props = e.props - 'occurrence'`;
  // A text that was changed since has another content in git, which the next export finds out.
  await sql`update entry e set git_path = n.path, ${alone},
      git_oid = case when e.from_seq <= ${seq} then n.oid end
    from ${list} where e.branch = ${space} and e.id = n.id and not e.removed
      and (e.to_seq is null or (e.from_seq <= ${seq} and e.to_seq > ${seq}))`.execute(ctx.db);
  await sql`update entry e set git_path = n.path, ${alone}
    from ${list}, change_request c where c.space = ${space} and c.status <> 'merged'
      and e.branch = c.id and e.id = n.id and e.to_seq is null and not e.removed`.execute(ctx.db);
}
