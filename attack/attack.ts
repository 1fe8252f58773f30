import type { ApiResponse, Client } from "../tests/harness/client.js";
import type { Database } from "../tests/harness/database.js";
import type { Furniture } from "../tests/harness/furnish.js";
import type { Person } from "../tests/harness/people.js";
import type { Stack } from "../tests/harness/stack.js";
import type { Random } from "./random.js";

/** Somebody who administers an organization that has one thing of every kind. */
export interface Party {
  person: Person;
  call: Client;
  things: Furniture;
}

/** What attacks are run against: a stack with two organizations that have nothing to do with each other. */
export interface Target {
  stack: Stack;
  database: Database;
  attacker: Party;
  /** Nothing of theirs is public. */
  victim: Party;
  random: Random;
  /** Whether all inputs are sent, or as many as a check of every change can wait for. */
  full: boolean;
  /** Makes another person who administers an organization of their own. */
  newParty(name: string): Promise<Party>;
}

export interface Attack {
  name: string;
  /** What must hold besides what holds for all: no failure of a service, no process ends, others are served. */
  claim: string;
  run(target: Target, trial: Trial): Promise<void>;
}

/** Counts the inputs of one attack, and notes what did not hold. */
export interface Trial {
  inputs: number;
  /** What did not hold, in words, without duplicates. */
  broken: ReadonlySet<string>;
  tried(count?: number): void;
  fail(what: string): void;
  /** Counts one request as an input, and checks its status; undefined when there was no response. */
  expect(
    what: string,
    response: Promise<ApiResponse>,
    isRight?: (response: ApiResponse) => boolean,
  ): Promise<ApiResponse | undefined>;
}

export function createTrial(): Trial {
  const broken = new Set<string>();
  const trial: Trial = {
    inputs: 0,
    broken,
    tried: (count = 1) => {
      trial.inputs += count;
    },
    fail: (what) => void broken.add(what),
    expect: async (what, response, isRight = () => true) => {
      trial.inputs += 1;
      try {
        const given = await response;
        if (isFailure(given) || !isRight(given)) {
          broken.add(`${what}: ${given.status} ${(JSON.stringify(given.body) ?? "").slice(0, 200)}`);
        }
        return given;
      } catch (error) {
        const { message, cause } = error as Error;
        broken.add(`${what}: ${message}${cause instanceof Error ? ` (${cause.message})` : ""}`);
        return undefined;
      }
    },
  };
  return trial;
}

export const isRefused = ({ status }: ApiResponse): boolean => status >= 400 && status < 500;

/** Every 5xx is a failure but that of what is not set up, or busy, or the fault of an integration, and says so. */
export const isFailure = (response: ApiResponse): boolean =>
  response.status >= 500 && !isUnavailable(response);

/** Whether a response states, in either form of errors, why the operation has nothing to return now. */
export function isUnavailable({ status, body }: ApiResponse): boolean {
  const { error, type } = (body ?? {}) as { error?: { reason?: string }; type?: string };
  const reason = error?.reason ?? (type?.startsWith("urn:octavo:") ? type : undefined);
  if (status === 502) return /(^|:)integration_failed$/.test(reason ?? "");
  return (status === 501 || status === 503) && reason !== undefined;
}

/** Runs the tasks, a few at a time. */
export async function inParallel<T>(items: Iterable<T>, task: (item: T) => Promise<unknown>, width = 6) {
  const iterator = items[Symbol.iterator]();
  const work = async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await task(next.value);
  };
  await Promise.all(Array.from({ length: width }, work));
}
