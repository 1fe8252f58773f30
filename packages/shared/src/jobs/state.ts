import { type QueryExecutorProvider, sql } from "kysely";

interface Reader {
  db: QueryExecutorProvider;
}

/** A job whose attempts are used up. */
export interface FailedJob {
  id: number;
  job: string;
  attempts: number;
  runAt: string;
  lastError: string | null;
}

export interface JobCounts {
  waiting: number;
  running: number;
  failed: number;
}

const FAILED = sql`attempts >= max_attempts and locked_at is null`;

/** Whether the service has a job queue. */
export async function hasQueue({ db }: Reader): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('_private_jobs') is not null as there`.execute(db);
  return rows[0]!.there;
}

/** How many jobs are in which state: what an operator watches. A job that is done is gone from the queue. */
export async function jobCounts({ db }: Reader): Promise<JobCounts> {
  const { rows } = await sql<JobCounts>`
    select
      count(*) filter (where locked_at is null and attempts < max_attempts) as waiting,
      count(*) filter (where locked_at is not null) as running,
      count(*) filter (where ${FAILED}) as failed
    from _private_jobs`.execute(db);
  return rows[0]!;
}

/** The jobs that have failed for good, the latest first. */
export async function failedJobs({ db }: Reader, limit = 100): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select job.id, task.identifier as job, attempts, run_at as "runAt", last_error as "lastError"
    from _private_jobs as job join _private_tasks as task on task.id = job.task_id
    where ${FAILED} order by run_at desc limit ${limit}`.execute(db);
  return rows;
}

/** Gives failed jobs all their attempts again, at once; returns the ids of those that are tried again. */
export async function retryJobs({ db }: Reader, ids: string[] | "all"): Promise<string[]> {
  const these = ids === "all" ? sql`` : sql`and id = any(${ids}::bigint[])`;
  const { rows } = await sql<{ id: string }>`
    select id::text from reschedule_jobs(
      array(select id from _private_jobs where ${FAILED} ${these}), run_at => now(), attempts => 0)`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Removes failed jobs from the queue; returns the ids of those. */
export async function dropJobs({ db }: Reader, ids: string[] | "all"): Promise<string[]> {
  const these = ids === "all" ? sql`` : sql`and id = any(${ids}::bigint[])`;
  const { rows } = await sql<{ id: string }>`
    select id::text from complete_jobs(array(select id from _private_jobs where ${FAILED} ${these}))`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
