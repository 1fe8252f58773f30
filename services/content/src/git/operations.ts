import { GitSyncCompleted } from "@octavo/shared/contracts/events/content";
import { transact } from "@octavo/shared/database/transact";
import { emit } from "@octavo/shared/events/outbox";
import { type Selectable, sql } from "kysely";
import type { Database } from "../db/database.js";
import type { GitInfo } from "../db/tables/spaces.js";
import { headOf } from "../store/version.js";
import type { Ctx } from "../trpc.js";
import type { GitError } from "./failure.js";
import type { ImportRequest, SyncRequest } from "./schema.js";
import type { Skipped } from "./skipped.js";

export type Operation = Selectable<Database["git_operation"]>;
export type Stage = "repo_fetch" | "config_check" | "content_process" | "finalize";

/** Imports of an organization that run at a time; the other slots for jobs are everybody else's. */
const QUEUES = 2;

/**
 * Returns the queue for an import: the one in which another import of the space waits, so that imports of a space run one
 * after another, else the one of the organization's in which the fewest wait. Runs in the transaction that inserts it.
 */
export async function queueFor({ db }: Ctx, organization: string, space: string): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtext(current_schema() || '.git_operation'), hashtext(${organization}))`.execute(
    db,
  );
  const { rows } = await sql<{ queue: string; waiting: number; own: boolean }>`
    select o.queue, count(*)::int as waiting, bool_or(o.space = ${space}) as own
    from git_operation o join space s on s.id = o.space
    where s.organization = ${organization} and o.state = 'running' and o.queue is not null group by o.queue`.execute(
    db,
  );
  const own = rows.find(({ own }) => own);
  if (own) return own.queue;
  const queues = Array.from({ length: QUEUES }, (_, at) => `git:${organization}:${at + 1}`);
  const waiting = (queue: string) => rows.find((row) => row.queue === queue)?.waiting ?? 0;
  return queues.reduce((least, queue) => (waiting(queue) < waiting(least) ? queue : least));
}

/** Pushes that are looked for on a branch. */
const MOST_UNHEARD = 50;

/** For what the request of an operation is sealed. */
export const requestOf = (id: string) => ({ kind: "git_operation.request", id });

export const insert = (
  { db }: Ctx,
  row: {
    id: string;
    space: string;
    direction?: Operation["direction"];
    request: string;
    created_by: string;
    queue?: string;
  },
) =>
  db
    .insertInto("git_operation")
    .values({ direction: "import", ...row })
    .execute();

/** The operation, while it is running; one that ended is not run again. */
export const findRunning = ({ db }: Ctx, id: string) =>
  db
    .selectFrom("git_operation")
    .selectAll()
    .where("id", "=", id)
    .where("state", "=", "running")
    .executeTakeFirst();

/** The operation, whatever became of it; undefined when it was forgotten. */
export const find = ({ db }: Ctx, id: string) =>
  db.selectFrom("git_operation").selectAll().where("id", "=", id).executeTakeFirst();

export const latest = ({ db }: Ctx, space: string) =>
  db
    .selectFrom("git_operation")
    .selectAll()
    .where("space", "=", space)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();

/** Records how far an operation has come. */
export const reach = ({ db, clock }: Ctx, id: string, stage: Stage, dispatched_tasks?: number) =>
  db
    .updateTable("git_operation")
    .set({ stage, dispatched_tasks, updated_at: clock() })
    .where("id", "=", id)
    .execute();

/** Records why a try failed that is not the last one. */
export const noteFailure = ({ db, clock }: Ctx, id: string, { message, reason }: GitError) =>
  db
    .updateTable("git_operation")
    .set({ error: message.slice(0, 2000), reason, updated_at: clock() })
    .where("id", "=", id)
    .where("state", "=", "running")
    .execute();

/** Records which commit an export is about to push, before it does: a try after a crash knows it by that. */
export async function notePushed(
  { db, clock }: Ctx,
  id: string,
  pushed: NonNullable<Operation["pushed"]>,
): Promise<void> {
  const noted = await db
    .updateTable("git_operation")
    .set({ pushed: JSON.stringify(pushed), updated_at: clock() })
    .where("id", "=", id)
    .where("state", "=", "running")
    .returning("id")
    .executeTakeFirst();
  if (!noted) throw new Error("The git operation has ended already");
}

/** What exports of a space pushed, or were about to, without hearing of the end of it, the latest first. */
export async function unconfirmedPushes({ db }: Ctx, space: string) {
  // A push of what the branch has had already was recorded: somebody has reset the branch.
  const { rows } = await sql<{
    pushed: NonNullable<Operation["pushed"]>;
  }>`select o.pushed from git_operation o
    left join git_state s on s.space = o.space
    where o.space = ${space} and o.pushed is not null and o.state <> 'success'
      and (s.commit is null or (o.pushed->>'seq')::int >= s.seq and o.pushed->>'commit' <> s.commit)
    order by o.id desc limit ${MOST_UNHEARD}`.execute(db);
  return rows.map(({ pushed }) => pushed);
}

/** Records what an import leaves out. */
export const noteSkipped = ({ db, clock }: Ctx, id: string, skipped: Skipped[]) =>
  db
    .updateTable("git_operation")
    .set({ skipped: JSON.stringify(skipped), updated_at: clock() })
    .where("id", "=", id)
    .execute();

/** Ends an operation with the revision it made. Throws when it has ended already. */
export async function succeed({ db, clock }: Ctx, id: string, revision: string | null): Promise<void> {
  const ended = await db
    .updateTable("git_operation")
    .set((of) => ({
      state: "success",
      stage: "finalize",
      request: "",
      revision,
      error: null,
      reason: null,
      completed_tasks: of.ref("dispatched_tasks"),
      updated_at: clock(),
      completed_at: clock(),
    }))
    .where("id", "=", id)
    .where("state", "=", "running")
    .returning("id")
    .executeTakeFirst();
  if (!ended) throw new Error("The git operation has ended already");
}

/** Ends an operation with a reason that its starter can read; one that has ended already stays as it is. */
export async function fail(
  ctx: Ctx,
  { id, space }: Pick<Operation, "id" | "space">,
  { message, reason = null }: { message: string; reason?: Operation["reason"] },
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const now = ctx.clock();
    const ended = await ctx.db
      .updateTable("git_operation")
      .set({
        state: "failure",
        request: "",
        error: message.slice(0, 2000),
        reason,
        updated_at: now,
        completed_at: now,
      })
      .where("id", "=", id)
      .where("state", "=", "running")
      .returning("id")
      .executeTakeFirst();
    if (!ended) return;
    const organization = await organizationOf(ctx, space);
    const { revision } = await headOf(ctx, space);
    await emit(ctx, GitSyncCompleted, space, { space, organization, revision, state: "failure" });
  });
}

export async function organizationOf({ db }: Ctx, space: string): Promise<string> {
  const row = await db
    .selectFrom("space")
    .select("organization")
    .where("id", "=", space)
    .executeTakeFirstOrThrow();
  return row.organization;
}

export async function gitOf({ db }: Ctx, space: string): Promise<GitInfo | null | undefined> {
  return (await db.selectFrom("space").select("git").where("id", "=", space).executeTakeFirst())?.git;
}

/** Whether something later was imported or exported than what a request was sent for. */
export const isOutdated = (
  { force, timestamp, standalone }: Pick<SyncRequest, "force" | "timestamp"> & Partial<ImportRequest>,
  known: GitInfo | null | undefined,
): boolean =>
  !force &&
  !standalone &&
  timestamp !== undefined &&
  known?.timestamp !== undefined &&
  Date.parse(timestamp) < Date.parse(known.timestamp);

/** Keeps what git has of the space, which is edited in change requests and in the repository from now on. */
export const setGit = ({ db }: Ctx, space: string, git: GitInfo) =>
  db
    .updateTable("space")
    .set({ git: JSON.stringify(git), edit_mode: "locked" })
    .where("id", "=", space)
    .execute();

/** Forgets the repository of a space and all its operations; one that runs can not end any more, and changes nothing. */
export async function forget(ctx: Ctx, space: string): Promise<void> {
  await ctx.db.deleteFrom("git_sync").where("space", "=", space).execute();
  await ctx.db.deleteFrom("git_state").where("space", "=", space).execute();
  await ctx.db.deleteFrom("git_reading").where("space", "=", space).execute();
  await ctx.db.deleteFrom("git_operation").where("space", "=", space).execute();
  await ctx.db.updateTable("space").set({ git: null }).where("id", "=", space).execute();
}

/** Ends what a run of a queue began that was killed: it is begun anew. */
export async function failInterrupted(ctx: Ctx, space: string, queue: string): Promise<void> {
  const left = await ctx.db
    .selectFrom("git_operation")
    .select(["id", "space"])
    .where("space", "=", space)
    .where("queue", "=", queue)
    .where("state", "=", "running")
    .execute();
  for (const operation of left)
    await fail(ctx, operation, { message: "It was interrupted, and is tried again" });
}

/** The status of a change request; undefined when there is none. */
export async function statusOfChangeRequest({ db }: Ctx, id: string) {
  const found = await db
    .selectFrom("change_request")
    .select("status")
    .where("id", "=", id)
    .executeTakeFirst();
  return found?.status;
}
