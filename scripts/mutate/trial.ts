import { afterAll, afterEach, beforeEach, test, vi } from "vitest";

/** One test file, run with one mutant or with none. */
export interface Trial {
  /** The number of the mutant; absent to see which tests reach which mutants. */
  mutant?: number;
  /** The test file. */
  file: string;
  /** Its tests that reach the mutant; all unless given. */
  tests?: string[];
  /** Modules are loaded anew, as some mutants have their effect then. */
  loadsAnew?: boolean;
  /** A test or a hook that takes longer has failed. */
  timeoutMs?: number;
}

/** The mutants that a test came across, also in what its file does before. */
export interface Reached {
  test: string;
  mutants: number[];
}

declare module "vitest" {
  interface TaskMeta {
    reached?: Reached;
  }
}

type Switch = (mutant: number) => boolean;
/** What the trials of one worker share: the switch that the source asks, and the mutant that failed last. */
const shared = globalThis as { octavoMutant?: Switch; octavoKilled?: number };

/** Prepares a trial in the worker: chooses the mutant, and which of the tests that are declared next will run. */
export function prepare({ mutant, tests, loadsAnew, timeoutMs }: Trial): void {
  const before = new Set<number>();
  const running = new Set<Set<number>>();
  const own = new Map<string, Set<number>>();
  shared.octavoMutant = (number) => {
    if (running.size === 0) before.add(number);
    for (const reached of running) reached.add(number);
    return number === mutant;
  };
  if (loadsAnew) vi.resetModules();
  if (timeoutMs) vi.setConfig({ testTimeout: timeoutMs, hookTimeout: timeoutMs });

  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on("unhandledRejection", note);
  afterAll(() => {
    process.off("unhandledRejection", note);
    if (unhandled.length > 0) throw unhandled[0];
  });
  beforeEach(({ task, skip }) => {
    if (mutant !== undefined && shared.octavoKilled === mutant) skip();
    if (tests && !tests.includes(task.fullTestName)) skip();
    const reached = new Set<number>();
    running.add(reached);
    own.set(task.id, reached);
  });
  afterEach(({ task }) => {
    const reached = own.get(task.id);
    if (!reached) return;
    running.delete(reached);
    if (mutant === undefined)
      task.meta.reached = { test: task.fullTestName, mutants: [...before, ...reached] };
    else if (task.result?.state === "fail") shared.octavoKilled = mutant;
  });
}

/** Whether an earlier file has failed with the mutant, so that this one need not run. Declares a test that is skipped then. */
export function isOver({ mutant }: Trial): boolean {
  const over = mutant !== undefined && shared.octavoKilled === mutant;
  if (over) test.skip("the mutant was noticed");
  return over;
}
