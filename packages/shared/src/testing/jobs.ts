import { type QueryExecutorProvider, sql } from "kysely";

export interface JobState {
  id: number;
  job: string;
  state: "waiting" | "running" | "failed";
  attempts: number;
  lastError: string | null;
  /** Not before this time. */
  runAt: string;
}

/** A job as it stands in the queue, by its id or its key; nothing when it is done. */
export async function findJob({ db }: { db: QueryExecutorProvider }, by: { id: number } | { key: string }) {
  const which = "id" in by ? sql`job.id = ${by.id}` : sql`job.key = ${by.key}`;
  const { rows } = await sql<JobState>`
    select job.id, task.identifier as job, job.attempts, job.last_error as "lastError", job.run_at as "runAt",
      case when locked_at is not null then 'running'
        when attempts >= max_attempts then 'failed' else 'waiting' end as state
    from _private_jobs as job join _private_tasks as task on task.id = job.task_id
    where ${which}`.execute(db);
  return rows[0];
}
