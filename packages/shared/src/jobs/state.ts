import { type QueryExecutorProvider, sql } from "kysely";

export interface JobState {
  id: number;
  job: string;
  key: string | null;
  queue: string | null;
  /** `failed`: its attempts are used up. A job that is done is gone from the queue. */
  state: "waiting" | "running" | "failed";
  attempts: number;
  maxAttempts: number;
  runAt: string;
  lastError: string | null;
  createdAt: string;
}

interface Reader {
  db: QueryExecutorProvider;
}

const states = sql`
  select job.id, task.identifier as job, job.key, queue.queue_name as queue,
    case when job.locked_at is not null then 'running'
      when job.attempts >= job.max_attempts then 'failed' else 'waiting' end as state,
    job.attempts, job.max_attempts as "maxAttempts", job.run_at as "runAt",
    job.last_error as "lastError", job.created_at as "createdAt"
  from _private_jobs as job
  join _private_tasks as task on task.id = job.task_id
  left join _private_job_queues as queue on queue.id = job.job_queue_id`;

/** The job as it stands, by its id or its key; nothing when it is done. */
export async function findJob({ db }: Reader, by: { id: number } | { key: string }) {
  const which = "id" in by ? sql`job.id = ${by.id}` : sql`job.key = ${by.key}`;
  const { rows } = await sql<JobState>`${states} where ${which}`.execute(db);
  return rows[0];
}

/** The jobs whose attempts are used up, the latest first. */
export async function failedJobs({ db }: Reader, limit = 100): Promise<JobState[]> {
  const failed = sql`where job.attempts >= job.max_attempts and job.locked_at is null`;
  const { rows } = await sql<JobState>`
    ${states} ${failed} order by job.run_at desc limit ${limit}`.execute(db);
  return rows;
}

/** Gives a failed job all its attempts again, at once. False when there is none that waits or has failed. */
export async function retryJob({ db }: Reader, id: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from reschedule_jobs(array[${id}]::bigint[], run_at => now(), attempts => 0)`.execute(db);
  return rows.length > 0;
}

/** Takes a job out of the queue by its key, unless it runs: then it only loses the tries after this one. */
export async function cancelJob({ db }: Reader, key: string): Promise<void> {
  await sql`select 1 from remove_job(${key}::text)`.execute(db);
}

export interface JobCounts {
  waiting: number;
  running: number;
  failed: number;
}

/** How many jobs are in which state: what an operator watches. */
export async function jobCounts({ db }: Reader): Promise<JobCounts> {
  const { rows } = await sql<JobCounts>`
    select
      count(*) filter (where locked_at is null and attempts < max_attempts) as waiting,
      count(*) filter (where locked_at is not null) as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts) as failed
    from _private_jobs`.execute(db);
  return rows[0] ?? { waiting: 0, running: 0, failed: 0 };
}
