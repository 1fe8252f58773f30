import { createContext, Script } from "node:vm";

const place: { work?: () => unknown } = {};
const context = createContext(place);
const script = new Script("work()");

/**
 * Does work that may take so many milliseconds, and returns undefined when it took longer. Also a regular expression
 * that goes back and forth is ended.
 */
export function runWithin<Result>(ms: number, work: () => Result): Result | undefined {
  if (ms < 1) return undefined;
  const around = place.work;
  place.work = work;
  try {
    return script.runInContext(context, { timeout: Math.ceil(ms) }) as Result;
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  } finally {
    place.work = around;
  }
}

/** The time that the colors and formulas of one page may take together. */
export interface TimeBudget {
  /** Does work that may take so many milliseconds of it; undefined when it took longer. */
  spend<Result>(ms: number, work: () => Result): Result | undefined;
  /**
   * Loads something for good, unless within a deadline, which might leave it half loaded: false then, and `wanted` holds
   * it, for whoever draws to load it and begin again.
   */
  load(work: () => void): boolean;
  /** What could not be loaded. */
  readonly wanted: readonly (() => void)[];
  /** Whether it is used up. */
  readonly isOver: boolean;
}

/**
 * Creates a budget of so many milliseconds. With `watched: false` only what comes after them is refused, for whoever is within
 * a deadline as a whole: to watch over each piece of work takes longer than most of them do.
 */
export function createTimeBudget(ms: number, { watched = true } = {}): TimeBudget {
  let left = ms;
  const wanted: (() => void)[] = [];
  return {
    spend(most, work) {
      const began = performance.now();
      const given = Math.min(most, left);
      const result = watched ? runWithin(given, work) : given < 1 ? undefined : work();
      left -= performance.now() - began;
      return result;
    },
    load(work) {
      if (watched) work();
      else wanted.push(work);
      return watched;
    },
    wanted,
    get isOver() {
      return left < 1;
    },
  };
}
