import type { QueryExecutorProvider } from "kysely";
import type { ServiceName } from "../access.js";
import { backlog, type ParkedEvent, parkedEvents, replay } from "../events/parked.js";
import { type FailedJob, failedJobs, hasQueue, jobCounts, retryJobs } from "../jobs/state.js";
import { type Place, placeOf, runOn } from "./run.js";

const usage = `What can be done about what is stuck in a service:
  nothing said    events that were parked, and jobs whose tries are used up, are shown
  retry <id> …    gives these all their tries again
  retry all       gives them to all that are stuck`;

interface Reader {
  db: QueryExecutorProvider;
}

/** `npm run stuck -w services/<name>`: shows what of the service's work waits for an operator, and has it tried again. */
export const stuckCommand = (service: ServiceName) => stuck(placeOf(service), process.argv.slice(2));

/** The same for a service whose data is at this place. */
export async function stuck(place: Place, [verb, ...ids]: string[]): Promise<void> {
  if (verb === undefined) return runOn(place, "look", async (db) => say(await told({ db }, place.service)));
  if (verb !== "retry" || ids.length === 0) {
    process.exitCode = 1;
    return say([usage]);
  }
  await runOn(place, "retry", async (db) => {
    const { again, unknown } = await retry({ db }, ids);
    say([
      `${place.service}: tried again: ${again.join(", ") || "nothing"}`,
      ...unknown.map((id) => `not stuck: ${id}`),
    ]);
    if (unknown.length > 0) process.exitCode = 1;
  });
}

/** How much is stuck and how much waits in a service, and then what is stuck, a line each. */
export async function told(reader: Reader, service: string): Promise<string[]> {
  const [{ parked, unpublished, pending }, queued] = [await backlog(reader), await hasQueue(reader)];
  const { failed, waiting } = queued ? await jobCounts(reader) : { failed: 0, waiting: 0 };
  return [
    `${service}: ${parked} events and ${failed} jobs are stuck; waiting are ${unpublished} events that leave, ` +
      `${pending} that came in, and ${waiting} jobs`,
    ...(await parkedEvents(reader)).map(ofEvent),
    ...(queued ? await failedJobs(reader) : []).map(ofJob),
  ];
}

/** Gives all tries again to the events and jobs with these ids, or to all that are stuck. */
export async function retry(reader: Reader, ids: string[]) {
  const all = ids.includes("all");
  const events = await replay(reader, all ? "all" : ids.filter((id) => !isJob(id)));
  const jobs = (await hasQueue(reader)) ? await retryJobs(reader, all ? "all" : ids.filter(isJob)) : [];
  const again = [...events, ...jobs];
  return { again, unknown: all ? [] : ids.filter((id) => !again.includes(id)) };
}

/** Jobs are numbered; the ids of events are longer, and no bigint. */
const isJob = (id: string) => /^\d{1,18}$/.test(id);

const ofEvent = ({ id, name, aggregate, attempts, parkedAt, error }: ParkedEvent) =>
  `  event ${id}  ${name} of ${aggregate}, parked ${parkedAt} after ${attempts} tries: ${firstLine(error)}`;

const ofJob = ({ id, job, attempts, runAt, lastError }: FailedJob) =>
  `  job ${id}  ${job}, last due ${runAt}, failed after ${attempts} tries: ${firstLine(lastError)}`;

const firstLine = (text: string | null) => text?.split("\n", 1)[0] ?? "";

const say = (lines: string[]) => void process.stdout.write(`${lines.join("\n")}\n`);
