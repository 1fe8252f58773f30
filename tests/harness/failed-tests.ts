import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/**
 * Prints at the end of a run, one a line, every test that failed once and the error of its last failure: `Failed:`, or
 * `Flaky:` when a later try passed. `.ci/run` collects these lines.
 */
export default class FailedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) => {
      const file = relative(process.cwd(), module.moduleId);
      const tests = [...module.children.allTests()].flatMap((one) => {
        const verdict = verdictOf(one);
        return verdict ? [`${verdict}: ${file} > ${one.fullName}${reasonOf(one.result().errors)}`] : [];
      });
      // A file that could not be loaded, or whose set-up failed, has no failed test.
      const isBroken = module.state() === "failed" && tests.length === 0;
      return isBroken ? [`Failed: ${file}${reasonOf(module.errors())}`] : tests;
    });
    for (const line of lines) process.stdout.write(`${line}\n`);
  }
}

function verdictOf(one: TestCase): "Failed" | "Flaky" | undefined {
  if (one.result().state === "failed") return "Failed";
  return one.diagnostic()?.flaky ? "Flaky" : undefined;
}

const REASON_LENGTH = 500;

/** The message of the last error, and what an assertion found, in one line. */
function reasonOf(errors: readonly { message: string; actual?: unknown }[] = []): string {
  const error = errors.at(-1);
  if (!error) return "";
  const { message, actual } = error;
  const text = typeof actual === "string" ? `${message}; actual: ${actual}` : message;
  return `: ${text.replaceAll(/\s+/g, " ").slice(0, REASON_LENGTH)}`;
}
