import type { QueryExecutorProvider } from "kysely";
import type { ServiceName } from "../contracts/callers.js";
import { backlog, dropParked, type ParkedEvent, parkedEvents, replay } from "../events/parked.js";
import { dropJobs, type FailedJob, failedJobs, hasQueue, jobCounts, retryJobs } from "../jobs/state.js";
import { databaseOf, runOn, type ServiceDatabase } from "./run.js";

const usage = `What can be done about the dead letters of a service:
  no verb         lists them: events that were parked, and jobs whose tries are used up
  retry <id> …    gives these all their tries again
  drop <id> …     gives these up: the events have no effect, the jobs are removed
  retry all, drop all    do so with all of them`;

interface Reader {
  db: QueryExecutorProvider;
}

/** `npm run dead-letters -w services/<name>`: shows what of the service's work waits for an operator, and has it tried again. */
export const deadLettersCommand = (service: ServiceName) =>
  deadLetters(databaseOf(service), process.argv.slice(2));

/**
 * Runs the command `dead-letters` for a service whose data is at this place: lists them, or does `verb` with these
 * ids. Sets the exit code 1 for an unknown verb or id.
 */
export async function deadLetters(place: ServiceDatabase, [verb, ...ids]: string[]): Promise<void> {
  if (verb === undefined) return runOn(place, "look", async (db) => say(await report({ db }, place.service)));
  const action = ACTIONS[verb];
  if (!action || ids.length === 0) {
    process.exitCode = 1;
    return say([usage]);
  }
  await runOn(place, verb, async (db) => {
    const { done, unknown } = await action.run({ db }, ids);
    say([
      `${place.service}: ${action.past}: ${done.join(", ") || "nothing"}`,
      ...unknown.map((id) => `no dead letter: ${id}`),
    ]);
    if (unknown.length > 0) process.exitCode = 1;
  });
}

/** How many dead letters a service has and how much waits in it, and then the dead letters, a line each. */
export async function report(reader: Reader, service: string): Promise<string[]> {
  const [{ parked, unpublished, pending }, queued] = [await backlog(reader), await hasQueue(reader)];
  const { failed, waiting } = queued ? await jobCounts(reader) : { failed: 0, waiting: 0 };
  return [
    `${service}: ${parked} events and ${failed} jobs are dead letters; waiting are ${unpublished} events that leave, ` +
      `${pending} that came in, and ${waiting} jobs`,
    ...(await parkedEvents(reader)).map(ofEvent),
    ...(queued ? await failedJobs(reader) : []).map(ofJob),
  ];
}

type Change = (reader: Reader, ids: string[] | "all") => Promise<string[]>;

/** Does the same to the events and jobs with these ids, or to all dead letters. */
const toBoth = (events: Change, jobs: Change) => async (reader: Reader, ids: string[]) => {
  const all = ids.includes("all");
  const done = await events(reader, all ? "all" : ids.filter((id) => !isJob(id)));
  if (await hasQueue(reader)) done.push(...(await jobs(reader, all ? "all" : ids.filter(isJob))));
  return { done, unknown: all ? [] : ids.filter((id) => !done.includes(id)) };
};

/** Gives all tries again to dead letters. */
export const retry = toBoth(replay, retryJobs);

/** Gives up dead letters. */
export const drop = toBoth(dropParked, dropJobs);

const ACTIONS: Record<string, { run: typeof retry; past: string } | undefined> = {
  retry: { run: retry, past: "tried again" },
  drop: { run: drop, past: "given up" },
};

/** Jobs are numbered; the ids of events are longer, and no bigint. */
const isJob = (id: string) => /^\d{1,18}$/.test(id);

const ofEvent = ({ id, name, aggregate, attempts, parkedAt, error }: ParkedEvent) =>
  `  event ${id}  ${name} of ${aggregate}, parked ${parkedAt} after ${attempts} tries: ${firstLine(error)}`;

const ofJob = ({ id, job, attempts, runAt, lastError }: FailedJob) =>
  `  job ${id}  ${job}, last due ${runAt}, failed after ${attempts} tries: ${firstLine(lastError)}`;

const firstLine = (text: string | null) => text?.split("\n", 1)[0] ?? "";

const say = (lines: string[]) => void process.stdout.write(`${lines.join("\n")}\n`);
