import { transact } from "@octavo/shared/database/transact";
import { GitSyncCompleted } from "@octavo/shared/events/catalogue/content";
import { emit } from "@octavo/shared/events/outbox";
import type { Selectable } from "kysely";
import type { Database } from "../database.js";
import type { GitInfo } from "../tables/spaces.js";
import type { Ctx } from "../trpc.js";

export type Operation = Selectable<Database["git_operation"]>;
export type Stage = "repo_fetch" | "config_check" | "content_process" | "finalize";

export const insert = (
  { db }: Ctx,
  row: { id: string; space: string; request: string; created_by: string },
) =>
  db
    .insertInto("git_operation")
    .values({ ...row, direction: "import" })
    .execute();

/** The operation, while it is running; one that ended is not run again. */
export const findRunning = ({ db }: Ctx, id: string) =>
  db
    .selectFrom("git_operation")
    .selectAll()
    .where("id", "=", id)
    .where("state", "=", "running")
    .executeTakeFirst();

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

export const succeed = ({ db, clock }: Ctx, id: string, revision: string | null) =>
  db
    .updateTable("git_operation")
    .set((of) => ({
      state: "success",
      stage: "finalize",
      revision,
      completed_tasks: of.ref("dispatched_tasks"),
      updated_at: clock(),
      completed_at: clock(),
    }))
    .where("id", "=", id)
    .execute();

/** Ends an operation with a reason that its starter can read. */
export async function fail(ctx: Ctx, { id, space }: Operation, error: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    const now = ctx.clock();
    await ctx.db
      .updateTable("git_operation")
      .set({ state: "failure", error: error.slice(0, 2000), updated_at: now, completed_at: now })
      .where("id", "=", id)
      .execute();
    const organization = await organizationOf(ctx, space);
    await emit(ctx, GitSyncCompleted, space, { space, organization, state: "failure" });
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

export const setGit = ({ db }: Ctx, space: string, git: GitInfo) =>
  db
    .updateTable("space")
    .set({ git: JSON.stringify(git) })
    .where("id", "=", space)
    .execute();
