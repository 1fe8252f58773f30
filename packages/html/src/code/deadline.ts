import { createContext, Script } from "node:vm";

const place: { work?: () => unknown } = {};
const context = createContext(place);
const script = new Script("work()");

/**
 * Does work that may take so many milliseconds, and returns undefined when it took longer. Also a regular expression
 * that goes back and forth is ended.
 */
export function within<Result>(ms: number, work: () => Result): Result | undefined {
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
export interface Allowance {
  /** Does work that may take so many milliseconds of it; undefined when it took longer. */
  spend<Result>(ms: number, work: () => Result): Result | undefined;
}

/** An allowance of so many milliseconds. */
export function allow(ms: number): Allowance {
  let left = ms;
  return {
    spend(most, work) {
      const began = performance.now();
      const result = within(Math.min(most, left), work);
      left -= performance.now() - began;
      return result;
    },
  };
}
