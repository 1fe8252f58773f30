import type { z } from "zod";

/** A kind of background work: its name and the shape of its payload. */
export interface JobType<Payload extends z.ZodType = z.ZodType> {
  /** Such as `imports.run`; unique within the service. */
  name: string;
  payload: Payload;
  /** Tries at most; a try that ends with the process counts, one that a graceful stop cuts short does not. */
  attempts: number;
  /** A try that takes longer is aborted and has failed. */
  deadlineMs: number;
}

// The queue takes a job that is locked for four hours for abandoned.
const LONGEST_MS = 2 * 3_600_000;

/** Declares a job. By default it has 5 attempts with exponential pauses, of a minute each. */
export function defineJob<Payload extends z.ZodType>(
  name: string,
  payload: Payload,
  { attempts = 5, deadlineMs = 60_000 }: { attempts?: number; deadlineMs?: number } = {},
): JobType<Payload> {
  if (deadlineMs > LONGEST_MS) throw new Error(`${name}: no job may take longer than two hours`);
  return { name, payload, attempts, deadlineMs };
}

/** What lies in the queue: the payload, and the trace of the request that asked for it. */
export interface JobPayload {
  payload: unknown;
  requestId?: string;
  traceparent?: string;
}
